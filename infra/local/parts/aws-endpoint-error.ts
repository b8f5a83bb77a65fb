/** An AWS emulator does not answer, or does not take what the stack would create. */
export class AwsEndpointError extends Error {
  override readonly name = 'AwsEndpointError';
}
