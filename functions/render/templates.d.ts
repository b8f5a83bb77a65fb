declare module 'virtual:templates' {
  type Templates = import('./render.ts').Templates;
  export const html: Templates['html'];
  export const text: Templates['text'];
  export const shortPage: Templates['html'];
  export const locales: Templates['locales'];
  export const logo: Templates['logo'];
}

/** The package types its runtime as a module without exports. */
declare module 'handlebars/runtime.js' {
  import type Handlebars from 'handlebars';
  const runtime: Pick<typeof Handlebars, 'template'>;
  export default runtime;
}
