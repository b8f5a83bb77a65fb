import { ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { createProgress, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { confirm } from '../targets/operate.ts';
import { openDeployed } from '../targets/deployed.ts';
import type { Place } from '../targets/place.ts';
import type { RunTarget } from '../targets/target.ts';
import { askWorker } from './doctor-command.ts';
import { examineDeployment } from './deployment.ts';
import { fault, good, look, type Finding, type Said, type Say } from './finding.ts';
import points from './first-day.json' with { type: 'json' };
import { openDeployment, type DeployedStack, type Deployment } from './stack.ts';

/** What became of a point: passed, failed, or not looked at yet. */
interface Result {
  number: number;
  point: string;
  result: 'pass' | 'FAIL' | 'open';
  said: string[];
}

/** The acceptance test of a first account: what no emulator can show, in the order in which it can be done. */
export async function firstDayCommand(place: Place, report: ReportConfiguration, from: number): Promise<CommandResult> {
  const { say, end } = createProgress();
  await using open = new AsyncDisposableStack();
  const openTarget = async () => open.use(await openDeployed(place));
  return await firstDay(openDeployment(place, open), { openTarget, report, from, say }).finally(end);
}

/** The points from `from` on: what AWS can be asked is asked; what somebody has to see is shown, and on a terminal asked for. */
export async function firstDay(
  deployment: Deployment,
  given: { openTarget: () => Promise<RunTarget>; report: ReportConfiguration; from: number; say: Say },
): Promise<CommandResult> {
  const { openTarget, report, from, say } = given;
  const checks = {
    'deployed worker': (stack: DeployedStack) => askWorker(stack, report),
    order: async () => await giveRefusedOrder(await openTarget(), report),
    metrics: examineMetrics,
  };
  const { findings } = await examineDeployment(deployment, say, checks);
  const results: Result[] = [];
  // A point says which check of the doctor answers it, or what to do and what must be seen then.
  for (const [index, each] of points.entries()) {
    const number = index + 1;
    if (number < from) continue;
    const { result, said } = each.check === undefined ? await show(number, each) : resultOf(each.check, findings);
    const otherwise = result === 'FAIL' ? [`What to do: ${each.otherwise}`] : [];
    results.push({ number, point: each.point, result, said: [...said, ...otherwise] });
  }
  const count = (what: Result['result']): number => results.filter(({ result }) => result === what).length;
  const [failed, open] = [count('FAIL'), count('open')];
  return {
    json: { points: results },
    lines: [
      ...results.map(({ number, point, result, said }) =>
        [`${String(number).padStart(2)} ${result}  ${point}`, ...said].join(`\n${' '.repeat(9)}`),
      ),
      `${count('pass')} passed, ${failed} failed, ${open} open. To begin at a point: first-day --from N`,
    ],
    code: failed > 0 ? exitCodes.noDigest : open > 0 ? exitCodes.incomplete : exitCodes.done,
  };
}

/** A point passes where its check finds no fault, and is open where there is no stack to check. */
function resultOf(check: string, findings: readonly Finding[]): Pick<Result, 'result' | 'said'> {
  const own = findings.filter((finding) => finding.check === check);
  const said = own.filter(({ verdict }) => verdict !== 'good').map(({ found }) => found);
  if (own.some(({ verdict }) => verdict === 'fault')) return { result: 'FAIL', said };
  const isDeployed = findings.some((finding) => finding.check === 'configuration');
  return { result: own.length > 0 || isDeployed ? 'pass' : 'open', said };
}

/** Shows what to do and what must be seen. On a terminal it asks whether it was. */
async function show(
  number: number,
  { point, do: work, see }: { point: string; do: string; see: string },
): Promise<Pick<Result, 'result' | 'said'>> {
  const said = [`Do: ${work}`, `See: ${see}`];
  if (!process.stdin.isTTY) return { result: 'open', said };
  process.stderr.write(`${number} ${point}\n${said.join('\n')}\n`);
  return { result: (await confirm('Did you see that?', { yes: false })) ? 'pass' : 'FAIL', said };
}

/** Whether an order about a run that cannot be there comes back as a refusal. */
async function giveRefusedOrder(target: RunTarget, { name }: ReportConfiguration): Promise<Said[]> {
  const run = `${name}_2020-01-01`;
  const ended = await target.trigger({ action: 'release', run }, `first-day-${Date.now()}`);
  const outcome = await ended();
  if (outcome.status === 'failed' && outcome.failure.code === 'unknown-run') return [good('It was refused in words.')];
  return [fault(`An order about run "${run}" was not refused as unknown.`)];
}

/** Whether the durable engine's metrics are of the function's name alone, as the alarm `run-failed` has them: AWS does not document it. */
async function examineMetrics({ cloudWatch, resources }: DeployedStack): Promise<Said[]> {
  const [Value] = await resources('AWS::Lambda::Function', 'Run');
  const Dimensions = [{ Name: 'FunctionName', Value }];
  const asked = { Namespace: 'AWS/Lambda', MetricName: 'DurableExecutionStarted', Dimensions };
  const { Metrics = [] } = await cloudWatch.send(new ListMetricsCommand(asked));
  if (Metrics.length === 0) return [look('There are none yet: they come some minutes after the first run.')];
  const isAlone = Metrics.some((metric) => metric.Dimensions?.length === 1);
  return [isAlone ? good('They are.') : fault("The engine's metrics have other dimensions than the function's name.")];
}
