/** The configuration this bundle was built with: validated, and of one version with the code. */
declare module 'virtual:configuration' {
  type Configuration = import('./configuration.ts').Configuration;
  const configuration: Configuration;
  export default configuration;
}
