import * as v from 'valibot';
import type { DeployedTemplate } from './deployed-template.ts';

/** A query of a dashboard for one message in a function's log. */
interface LogQuery {
  /** The function's logical id. */
  functionId: string;
  message: string;
  /** The fields that it shows of a line with this message. */
  fields: string[];
}

const dashboard = v.object({ DashboardBody: v.string() });
const body = v.object({
  widgets: v.array(v.object({ type: v.string(), properties: v.looseObject({ query: v.optional(v.string(), '') }) })),
});
const logging = v.object({ LoggingConfig: v.object({ LogGroup: v.string() }) });

/** The queries of a template's dashboards that look for a message. */
export function queriesOfDashboards(template: DeployedTemplate): LogQuery[] {
  const functions = template.resourcesOf('AWS::Lambda::Function').map((functionId) => {
    const { LogGroup } = v.parse(logging, template.properties(functionId)).LoggingConfig;
    return { functionId, source: `SOURCE '${LogGroup}'` };
  });
  const queries = template.resourcesOf('AWS::CloudWatch::Dashboard').flatMap((id) => {
    const { widgets } = v.parse(body, JSON.parse(v.parse(dashboard, template.properties(id)).DashboardBody));
    return widgets.filter(({ type }) => type === 'log').map(({ properties }) => properties.query);
  });
  return queries.flatMap((query) => {
    const message = /filter message = "([^"]+)"/.exec(query)?.[1];
    const listed = /(?:fields|stats count\(\*\) by) ([^|\n]+)/.exec(query)?.[1] ?? '';
    const fields = listed
      .split(',')
      .map((field) => field.trim())
      .filter((field) => field !== '@timestamp');
    const owners = functions.filter(({ source }) => query.includes(source));
    return message === undefined ? [] : owners.map(({ functionId }) => ({ functionId, message, fields }));
  });
}
