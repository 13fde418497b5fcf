/** Returns its argument. The build writes its declaration, `dist/config.d.ts`, with the type of a configuration. */
export function defineConfig<Config>(config: Config): Config {
  return config;
}
