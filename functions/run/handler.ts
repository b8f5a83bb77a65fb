import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { withDurableExecution, type DurableContext } from '@aws/durable-execution-sdk-js';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SESClient } from '@aws-sdk/client-ses';
import { Temporal } from 'temporal-polyfill';
import configuration from 'virtual:configuration';
import * as templates from 'virtual:templates';
import {
  collectFunctionName,
  configurationSet,
  metricsNamespace,
  tableName,
  unsubscribeSecretName,
  unsubscribeUrl,
} from '../environment.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { carryOut, planTriggered } from './carry-out.ts';
import { failureOf, RunError } from './failure.ts';
import { failRun, type Finished } from './receipt/finish.ts';
import { openUnsubscribeLinks } from '../signed-links/unsubscribe-link.ts';
import { operate } from './operate/operate.ts';
import { readReportPause, type Paused } from './operate/pause.ts';
import type { Plan } from './plan/plan.ts';
import { createRenderer } from './render/render.ts';
import { retryUnexpected } from './retry-unexpected.ts';
import { createSesClient } from './send/ses.ts';
import type { Dependencies } from './dependencies.ts';
import { parseTrigger, type RunTrigger } from './trigger.ts';

const table = createTable(createDynamoDbClient(), tableName());
const secrets = new SecretsManagerClient({});
const metrics = new Metrics({ namespace: metricsNamespace(), serviceName: 'run' });
const logger = new Logger({ serviceName: 'run' });
const render = createRenderer(templates);
let ses: SESClient | null = null;

/**
 * One run, whatever triggers it: plan, collect, compose and keep, send, settle, receipt. Where the run already stands, it
 * goes on from there. Fails with the reason in its receipt. The schedule of a paused report triggers nothing. What else
 * operators ask of it, it answers here too.
 */
export const handler = withDurableExecution(
  async (event: unknown, context: DurableContext): Promise<Finished | Paused | Awaited<ReturnType<typeof operate>>> => {
    context.configureLogger({ customLogger: logger });
    let plan: Plan | null = null;
    try {
      const trigger = parseTrigger(event, configuration.reports);
      const dependencies = openDependencies();
      if (trigger.action !== 'run' && trigger.action !== 'release')
        return await operate(trigger, context, dependencies);
      const pause = trigger.action === 'run' ? await pauseOf(trigger, context) : null;
      if (pause !== null) {
        context.logger.info('The report is paused: its schedule triggers nothing.', { ...pause });
        return pause;
      }
      const execution = context.executionContext.durableExecutionArn;
      const planned = await context.step(
        'plan',
        () => planTriggered(trigger, execution, dependencies),
        retryUnexpected,
      );
      plan = planned;
      return await carryOut(trigger, planned, context, dependencies);
    } catch (error) {
      const failure = failureOf(error);
      context.logger.error('The run failed.', { run: plan?.run, code: failure.code, error });
      const failed = plan;
      if (failed !== null) {
        await context.step(
          'fail',
          () => failRun(failed, failure, { table, metrics, now: Temporal.Now.instant() }),
          retryUnexpected,
        );
      }
      throw RunError.of(failure);
    }
  },
);

/** What this invocation works with; SES's connections are fresh to it. */
function openDependencies(): Dependencies {
  ses?.destroy();
  ses = createSesClient();
  return {
    configuration,
    table,
    metrics,
    ses,
    configurationSet: configurationSet(),
    collectFunctionName: collectFunctionName(),
    render,
    unsubscribeLinks: () =>
      openUnsubscribeLinks(secrets, { secretName: unsubscribeSecretName(), url: unsubscribeUrl(), now: new Date() }),
  };
}

function pauseOf(trigger: RunTrigger, context: DurableContext): Promise<Paused | null> {
  return context.step(
    'pause',
    () => readReportPause(trigger, { configuration, table, now: Temporal.Now.instant() }),
    retryUnexpected,
  );
}
