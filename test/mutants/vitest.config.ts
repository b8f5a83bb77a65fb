import { defineConfig } from 'vitest/config';

// Tests that take seconds. Each mutant is run against those that reach it.
export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    include: [
      'test/functions/**/*.test.ts',
      'test/infra/program/{runs,command-line}/**/*.test.ts',
      'test/weeks.test.ts',
    ],
    testTimeout: 10_000,
  },
});
