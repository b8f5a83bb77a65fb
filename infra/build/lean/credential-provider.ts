// A function's credentials are in its environment, always; the AWS clients bring every other way to come by some.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
