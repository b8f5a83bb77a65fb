import { Duration, Stack, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Configuration } from '../../functions/domain/configuration/configuration.ts';
import { publicPaths } from '../../functions/links/public-function.ts';
import { keptLogs, type BundledFunction, type FunctionsOfStack } from './bundled-function.ts';

/** Every method, whose answer is the function's, to everything below its path. */
const routeKeyOf = (name: keyof typeof publicPaths) =>
  apigateway.HttpRouteKey.with(`${publicPaths[name]}{link+}`, apigateway.HttpMethod.ANY);

const ofHour = { period: Duration.hours(1), statistic: Stats.SUM };

/** What is logged of a request, and why a function did not answer: no path, which has the token, and nothing of who made it. */
const logged = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  // Lambda's own status, and API Gateway's words for why it could not use the answer.
  functionStatus: '$context.integrationStatus',
  functionError: '$context.integrationErrorMessage',
};

/**
 * Where the links in mails lead: one HTTP API with a route to each function behind links, open to everybody because links need
 * no login. What is below no route is answered by API Gateway itself. It waits 30 s for a function, longer than they may take.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export class PublicFront extends Construct {
  /** Where it is, without a slash at its end. */
  readonly url: string;
  /** What the name of `links` has to lead to in DNS; `undefined` without one. */
  readonly cname: string | undefined;
  readonly logGroup = new LogGroup(this, 'Logs', {
    // Below this name an account's policy for the delivery of logs, which may be full, does not grow:
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
    logGroupName: `/aws/vendedlogs/${Stack.of(this).stackName}`,
    ...keptLogs,
  });
  // Of its id comes its address, which is in mails already sent: where it has a name it stays open at its address, too.
  readonly #api = new apigateway.HttpApi(this, 'Api', { apiName: Stack.of(this).stackName, createDefaultStage: false });
  /** Answers of 500 and more: links that did not work, however well-behaved the functions are for Lambda. */
  readonly failures = this.#api.metricServerError(ofHour);
  /** How often links were followed. */
  readonly requests = this.#api.metricCount(ofHour);

  constructor(scope: Construct, id: string, { unsubscribe, page }: FunctionsOfStack, { links }: Configuration['mail']) {
    super(scope, id);
    const toPage = page === undefined ? [] : [this.#addRoute('page', page)];
    const routes = [this.#addRoute('unsubscribe', unsubscribe), ...toPage];
    // A route that is named here cannot be removed any more (API Gateway then finds no route for its settings), so that of the
    // pages has the settings of all others, and unsubscribing alone has its own: they share no limit. When a mail is sent, scanners
    // open its links as fast as SES takes it, and none of that may keep a mail program from unsubscribing.
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
    const stage = new apigateway.CfnStage(this, 'Stage', {
      apiId: this.#api.apiId,
      stageName: '$default',
      autoDeploy: true,
      // A workbook is written for each request.
      defaultRouteSettings: { throttlingRateLimit: 5, throttlingBurstLimit: 50 },
      routeSettings: { [routeKeyOf('unsubscribe').key]: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 } },
      accessLogSettings: { destinationArn: this.logGroup.logGroupArn, format: JSON.stringify(logged) },
    });
    stage.node.addDependency(...routes);
    this.url = links === undefined ? this.#api.apiEndpoint : `https://${links.domainName}`;
    if (links === undefined) return;
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', links.certificateArn);
    const domain = new apigateway.DomainName(this, 'Domain', { domainName: links.domainName, certificate });
    new apigateway.CfnApiMapping(this, 'Mapping', {
      apiId: this.#api.apiId,
      domainName: domain.name,
      stage: stage.ref,
    });
    this.cname = domain.regionalDomainName;
  }

  #addRoute(name: keyof typeof publicPaths, { function: handler }: BundledFunction): apigateway.HttpRoute {
    const integration = new HttpLambdaIntegration('Integration', handler);
    const route = new apigateway.HttpRoute(this, name, { httpApi: this.#api, routeKey: routeKeyOf(name), integration });
    Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: 'Whoever holds a link may use it.' });
    return route;
  }
}
