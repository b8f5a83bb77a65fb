import { describe, expect, it } from 'vitest';
import { parseDeployment } from '../../../functions/prune/deployment.ts';

const event = {
  RequestType: 'Update',
  ResponseURL: 'https://cloudformation-response.example.com/answer?signature=canary',
  StackId: 'stack-1',
  RequestId: 'request-1',
  LogicalResourceId: 'PruningAtDeployment',
  ResourceProperties: { ServiceToken: 'arn', FunctionName: 'run', KeepHours: '72', Version: '2' },
};

describe('parseDeployment', () => {
  it('reads what CloudFormation asks', () => {
    expect(parseDeployment(event)).toEqual({
      kind: 'Update',
      functionName: 'run',
      keepHours: 72,
      answer: {
        url: event.ResponseURL,
        StackId: 'stack-1',
        RequestId: 'request-1',
        LogicalResourceId: 'PruningAtDeployment',
      },
    });
  });

  it('throws for what is no such event, and shows no value of it', () => {
    const faulty = {
      ...event,
      RequestType: 'Canary',
      ResourceProperties: { FunctionName: 'run', KeepHours: 'canary' },
    };
    expect(() => parseDeployment(faulty)).toThrow(
      new TypeError('Not an event of a deployment: RequestType, ResourceProperties.KeepHours.'),
    );
  });
});
