import {
  CredentialsError,
  readCredentials,
  type Credentials,
} from '../../../../functions/reporting-service/tokens/credentials.ts';
import { fault, good, look, type Finding } from '../finding.ts';
import { examineAlarms } from './alarms.ts';
import { examineConcurrency } from './concurrency.ts';
import { examineDeployedConfiguration } from './deployed-configuration.ts';
import type { DeployedSide } from './deployed-side.ts';
import { examineIdentity } from './identity.ts';
import { examineSchedules } from './schedules.ts';
import { examineSending } from './sending.ts';

/**
 * Examines what a stack needs to mail its reports: its configuration, the secret, the identity and its signature, SES's
 * limits, Lambda's, who hears of alarms, and each report's schedule. Gives the credentials where the secret has them.
 */
export async function examineDeployment(
  side: DeployedSide,
): Promise<{ findings: Finding[]; credentials: Credentials | null }> {
  const { credentials, finding } = await examineSecret(side);
  const findings = [
    examineDeployedConfiguration(side),
    finding,
    ...(await whereAllowed('identity', () => examineIdentity(side))),
    ...(await whereAllowed('sending', () => examineSending(side))),
    ...(await whereAllowed('concurrency', () => examineConcurrency(side))),
    ...(await whereAllowed('alarms', () => examineAlarms(side))),
    ...(await whereAllowed('schedules', () => examineSchedules(side))),
  ];
  return { findings, credentials };
}

async function examineSecret({
  secrets,
  outputs: { secret },
}: DeployedSide): Promise<{ credentials: Credentials | null; finding: Finding }> {
  try {
    const credentials = await readCredentials(secrets, secret);
    return { credentials, finding: good('secret', `Secret "${secret}" has a client id and a secret.`) };
  } catch (error) {
    if (isRefusal(error)) return { credentials: null, finding: notChecked('secret', error) };
    if (!(error instanceof CredentialsError)) throw error;
    return { credentials: null, finding: fault('secret', `${error.message} Until then, nobody gets mail.`) };
  }
}

/** What a check found. One that AWS does not allow the operator has no result, and says so. */
async function whereAllowed(check: string, examine: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examine();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [notChecked(check, error)];
  }
}

function notChecked(check: string, { name }: Error): Finding {
  return look(check, `This was not checked: AWS does not allow you to look at it (${name}).`);
}

/** The names by which AWS's services refuse something to a caller without the right to it. */
const refusals = new Set(['AccessDenied', 'AccessDeniedException', 'AuthorizationErrorException']);

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && refusals.has(error.name);
}
