/** The configuration this bundle was built with: validated, and of one version with the code. For the run alone. */
declare module 'virtual:configuration' {
  type Configuration = import('./configuration.ts').Configuration;
  const configuration: Configuration;
  export default configuration;
}

/** The same without anybody's address, for every function that sends no mail. */
declare module 'virtual:configuration-without-addresses' {
  type Configuration = import('./configuration.ts').ConfigurationWithoutAddresses;
  const configuration: Configuration;
  export default configuration;
}
