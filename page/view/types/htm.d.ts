/** The package's own types describe its module as CommonJS, where it is one of ES. */
declare module 'htm' {
  interface Htm {
    bind<Type, Props, Child, Result>(
      create: (type: Type, props: Props, ...children: Child[]) => Result,
    ): (strings: TemplateStringsArray, ...parts: readonly unknown[]) => Result;
  }
  const htm: Htm;
  export default htm;
}
