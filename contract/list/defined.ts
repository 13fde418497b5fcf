/** The members that are not undefined, for options that must be omitted instead. */
export function defined<Value extends object>(value: Value): Defined<Value>;
export function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

type Defined<Value> = {
  readonly [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Value[Name];
} & {
  readonly [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Exclude<
    Value[Name],
    undefined
  >;
};
