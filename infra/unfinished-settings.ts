import { Annotations, Aws, CfnRule, Fn, type Stack } from 'aws-cdk-lib';
import type { Configuration } from '../functions/domain/configuration/configuration.ts';
import { pathText, type Fault } from '../functions/domain/configuration/fault.ts';

/** Names that belong to nobody (RFC 2606): mail to them reaches nobody, and no service answers there. */
const reservedName = /(?:^|[@/.])example\.(?:com|net|org)$/i;
/** The same where a name is surely a host's: "Tom.Test" in a sentence may be somebody. */
const reservedHost = /\.(?:example|invalid|test|localhost)$/i;
/** The company of the sample configuration, in its brand and footer: real readers must not get mail in its name. */
const sampleCompany = 'Harbour Leisure';

/**
 * Warns of what is not finished in a configuration, and has CloudFormation refuse the template before it creates anything,
 * unless `isAllowed`.
 */
export function refuseUnfinished(stack: Stack, configuration: Configuration, isAllowed: boolean): void {
  const settings = unfinishedSettings(configuration).map(({ path, message }) => `- ${path}: ${message}`);
  if (settings.length === 0) return;
  const warning = `The configuration in cdk.json is not finished:\n${settings.join('\n')}`;
  const text = isAllowed ? warning : `${warning}\nTo deploy it as it is, add the flag -c unfinished=allow.`;
  Annotations.of(stack).addWarningV2('broadcast-digest:unfinished', text);
  // Rules are documented as checks of parameters, the pseudo parameters among them; every region has a name.
  const never = Fn.conditionEquals(Aws.REGION, '');
  if (!isAllowed) new CfnRule(stack, 'Finished', { assertions: [{ assert: never, assertDescription: text }] });
}

/**
 * What is still to be put into a configuration before its deployment makes sense: placeholders, who hears of trouble, who
 * gets a report, a service that a deployed function can reach. Empty where nothing is. No message has an address in it.
 */
export function unfinishedSettings(configuration: Configuration): Fault[] {
  const { operations, service } = configuration;
  const reports = asWritten(configuration.reports);
  const faults = placeholdersIn({ ...configuration, reports }, []);
  if (service.baseUrl.startsWith('http:')) {
    faults.push({ path: 'service.baseUrl', message: 'It is on this machine, which a deployed function cannot reach.' });
  }
  if (operations.alarmAddresses.length === 0) {
    const message = 'It is empty: nobody would be notified of a failed run.';
    faults.push({ path: 'operations.alarmAddresses', message });
  }
  const lists = reports.flatMap(({ warning, ...report }, index) => [
    { report, path: `reports[${index}].subscribers` },
    { report: warning, path: `reports[${index}].warning.subscribers` },
  ]);
  for (const { report, path } of lists) {
    if (report?.subscribers.length !== 0) continue;
    const message = `Report "${report.name}" has none: nobody gets it until \`npm run ops -- subscribers\` adds someone.`;
    faults.push({ path, message });
  }
  return faults;
}

/** The reports as the file counts them: a warning is in its report, and there only with subscribers of its own. */
function asWritten(reports: Configuration['reports']) {
  const written = reports.filter(({ warningOf }) => warningOf === undefined);
  return written.map((report) => {
    const { name, subscribers } = reports.find(({ name }) => name === report.warningReport) ?? report;
    const warning = subscribers === report.subscribers ? undefined : { name, subscribers };
    return Object.assign({}, report, { warning });
  });
}

function placeholdersIn(value: unknown, path: readonly unknown[]): Fault[] {
  if (typeof value !== 'string') {
    const keyOf = (key: string) => (Array.isArray(value) ? Number(key) : key);
    return Object.entries(Object(value)).flatMap(([key, inner]) => placeholdersIn(inner, [...path, keyOf(key)]));
  }
  const name = placeholderIn(value);
  return name === null ? [] : [{ path: pathText(path), message: `"${name}" is a placeholder.` }];
}

/** What a text still has of the sample: its company, or the first host name reserved for examples (not before an "@"). */
function placeholderIn(text: string): string | null {
  if (text.includes(sampleCompany)) return sampleCompany;
  const names = text.replaceAll(/[^\s@]+@/g, '@').match(/(?:@|\/\/)?[a-z\d-]+(?:\.[a-z\d-]+)+/gi) ?? [];
  const isHost = /\s/.test(text) ? /^[@/]/ : /^/;
  const found = names.find((name) => reservedName.test(name) || (isHost.test(name) && reservedHost.test(name)));
  return found?.replace(/^[@/]+/, '') ?? null;
}
