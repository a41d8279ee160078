import { statSync } from 'node:fs'

/** Files that are devices and have an end, or are typed by a person. */
const allowedDevices = /^\/dev\/(?:null|stdin|tty|fd\/\d+)$/

/**
 * Checks that a file is worth reading, because a device such as `/dev/zero` has no end.
 *
 * @throws {TypeError} It is a device.
 * @throws {Error} There is no such file, or it may not be read; it has the `code` of the system.
 */
export const checkFile = (file: string): void => {
  const stats = statSync(file)
  const isDevice = stats.isCharacterDevice() || stats.isBlockDevice()
  if (isDevice && !allowedDevices.test(file)) throw new TypeError('it is a device')
}
