/** The configuration this bundle was built with: validated, and always of the same version as the code. Only for the run. */
declare module 'virtual:configuration' {
  const configuration: import('./configuration.ts').Configuration;
  export default configuration;
}

/** The same without addresses, for every function that sends no mail and has a configuration. */
declare module 'virtual:configuration-without-addresses' {
  const configuration: import('./configuration.ts').ConfigurationWithoutAddresses;
  export default configuration;
}

/** The configuration of this deployment as the pages show it. */
declare module 'virtual:configuration-of-pages' {
  const configuration: import('./configuration.ts').PageConfiguration;
  export default configuration;
}
