// Control characters, and those that change the direction of the text after them.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** Text without commands for a terminal, which the title of a test or what it prints may have. */
export const withoutControls = (text: string): string => text.replaceAll(control, ' ')
