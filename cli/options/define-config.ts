/** Gives back a configuration: `config.d.ts` has its type, which editors complete by. */
export function defineConfig<Config>(config: Config): Config {
  return config;
}
