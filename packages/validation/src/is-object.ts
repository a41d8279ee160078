/** Whether a value is an object with fields: no array, no `Map`, no `Date`, no class instance with a tag of its own. */
export const isObject = (value: unknown): value is object => Object.prototype.toString.call(value) === '[object Object]'
