// All that the durable SDK asks of Lambda. It imports the client at run time, so that a bundle would have every command.
export {
  CheckpointDurableExecutionCommand,
  GetDurableExecutionStateCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
