import { defineConfig } from 'vitest/config';

// Tests of what is pure, which take seconds. Each mutant is run against those that reach it.
export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    include: [
      'test/functions/{digest,domain,render}/**/*.test.ts',
      'test/infra/program/{runs,command-line}/**/*.test.ts',
      'test/weeks.test.ts',
    ],
    testTimeout: 10_000,
  },
});
