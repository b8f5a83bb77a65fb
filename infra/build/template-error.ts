/** What is wrong with the templates folder. Its message names every fault in a line, with file and line where they are known. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(faults: readonly string[]) {
    super(`The templates cannot be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}
