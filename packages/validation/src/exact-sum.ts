/** An exact sum of finite numbers, however many: as text, a decimal without an exponent. */
export const createSum = () => {
  let sum = 0n
  let decimals = 0
  return {
    add(value: number): void {
      const [digits = '', exponent = '0'] = String(value).split('e')
      const [whole = '', fraction = ''] = digits.split('.')
      const shift = fraction.length - Number(exponent)
      sum *= 10n ** BigInt(Math.max(0, shift - decimals))
      decimals = Math.max(decimals, shift)
      sum += BigInt(whole + fraction) * 10n ** BigInt(decimals - shift)
    },
    toString(): string {
      const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
      const point = digits.length - decimals
      const decimal = `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0*$/, '')
      return sum < 0n ? `-${decimal}` : decimal
    },
  }
}
