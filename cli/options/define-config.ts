/**
 * Returns its argument, for its type. The build writes the declaration, `dist/config.d.ts`, with
 * the type of a configuration.
 */
export function defineConfig<Config>(config: Config): Config {
  return config;
}
