import type { Plugin } from 'esbuild';

/** Modules that a function carries for cases it never meets, and what takes their place in its bundle. */
const replacements = [
  {
    // A function's credentials are in its environment, always; the AWS clients bring every other way to come by some.
    module: /^@aws-sdk\/credential-provider-node$/,
    importers: /./,
    contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
  },
  {
    // The composer's table of media types by file name: each part of a message states its own.
    module: /\/mime-types\.js$/,
    importers: /[/\\]nodemailer[/\\]/,
    contents: [
      "export const detectMimeType = () => 'application/octet-stream';",
      "export const detectExtension = () => 'bin';",
    ].join('\n'),
  },
];

/**
 * Imported, `node:http` has all that it exports looked up, WebSocket among it, for which Node loads its fetch: a third of a
 * cold start. Required, it is loaded alone. The AWS clients import it once an address begins with `http:`.
 */
const http = /^(?:node:)?http$/;

/** Leaves out of a bundle, and of its start, what its function has no use for. */
export function leanModules(resolveDir: string): Plugin {
  return {
    name: 'lean-modules',
    setup: (build) => {
      for (const [index, { module, importers }] of replacements.entries()) {
        build.onResolve({ filter: module }, ({ importer }) =>
          importers.test(importer) ? { path: String(index), namespace: 'lean' } : undefined,
        );
      }
      build.onResolve({ filter: http }, ({ kind }) =>
        kind === 'require-call' ? undefined : { path: 'node:http', namespace: 'required' },
      );
      build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
        contents: `module.exports = require('${path}');`,
        resolveDir,
      }));
      build.onLoad({ filter: /.*/, namespace: 'lean' }, ({ path }) => ({
        contents: replacements[Number(path)]?.contents ?? '',
        loader: 'js',
        resolveDir,
      }));
    },
  };
}
