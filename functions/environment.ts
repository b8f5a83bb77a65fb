/**
 * What the stack hands to the functions: names that only a deployment knows. All else is configuration, bundled into them.
 * The one file that reads `process.env`.
 */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`Environment variable ${name} is not set. The stack sets it.`);
  return value;
}

/** Name of the ledger's table. */
export const tableName = (): string => required('TABLE_NAME');

/** Name of the secret that holds the service's client id and secret. */
export const secretName = (): string => required('SECRET_NAME');

/** Name of the function that collects, with the version that a run invokes. */
export const collectFunctionName = (): string => required('COLLECT_FUNCTION_NAME');

/** The present of a service that says its own, as of the sample account: an instant. Elsewhere it is our clock's. */
export const accountClock = (): string | undefined => process.env['ACCOUNT_CLOCK'];

/** Name of SES's configuration set, under which all mail is sent. */
export const configurationSet = (): string => required('CONFIGURATION_SET');

/** Name of the generated secret that unsubscribe links are made under. */
export const unsubscribeSecretName = (): string => required('UNSUBSCRIBE_SECRET_NAME');

/** Name of the secret with the addresses of channels' webhooks. There is one where a report has channels. */
export const channelsSecretName = (): string => required('CHANNELS_SECRET_NAME');

/** The URL of the public front, which the links in mails lead to, without a slash at its end. */
export const publicUrl = (): string => required('PUBLIC_URL');

/** ARN of the topic that operators' notices are published to. */
export const noticeTopicArn = (): string => required('NOTICE_TOPIC_ARN');

/** The name of the stack's environment; `undefined` where it has none. */
export const environmentName = (): string | undefined => process.env['ENVIRONMENT_NAME'];

/** Whether something else stands in for AWS, as in local runs. The stack never says so. */
export const isLocalRun = (): boolean =>
  Boolean(process.env['AWS_ENDPOINT_URL'] ?? process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER']);
