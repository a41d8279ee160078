import {
  stepsIn,
  validate,
  validateValue,
  withPath,
  type Check,
  type Checks,
  type Fail,
  type Naming,
} from '@guild-ledger/validation'

// The path serves those who read the value from a file: they name line and column.
const fail: Fail = (path, message) => {
  throw withPath(new TypeError(message), stepsIn(path))
}

/** Takes an object of options or fields that callers pass; a `TypeError` names what is unknown or not allowed. */
export const checkedFields = <Given extends object>(checks: Checks, given: Given, naming?: Naming): Given =>
  validate(checks, given, fail, naming)

export const checkedValue = <Value>(check: Check, name: string, value: Value): Value => {
  validateValue(check, name, value, fail)
  return value
}
