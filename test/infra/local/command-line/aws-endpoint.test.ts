import { expect, test } from 'vitest';
import { faultOfAwsEndpoint } from '../../../../infra/local/command-line/aws-endpoint.ts';

test.each([
  'http://localhost:4566',
  'http://127.0.0.1:5000/',
  'http://[::1]:5000',
  'https://localhost.localstack.cloud:4566',
  'http://moto:5000/prefix',
  'http://amazonaws.com.example.org:5000',
  'http://notamazonaws.com',
])('%s may be an emulator', (address) => {
  expect(faultOfAwsEndpoint(address)).toBeNull();
});

test.each([
  'https://dynamodb.eu-west-1.amazonaws.com',
  'https://amazonaws.com',
  'HTTPS://DynamoDB.EU-West-1.AmazonAWS.com/',
  'https://dynamodb.eu-west-1.amazonaws.com./',
  'http://vpce-1.dynamodb.eu-west-1.vpce.amazonaws.com:8000',
  'https://dynamodb.cn-north-1.amazonaws.com.cn',
  'https://secretsmanager.cn-north-1.api.amazonwebservices.com.cn',
  'https://dynamodb.eu-west-1.api.aws',
  'https://abc.lambda-url.eu-west-1.on.aws',
  'https://dynamodb.eusc-de-east-1.amazonaws.eu',
  'https://dynamodb.us-iso-east-1.c2s.ic.gov',
])('%s is AWS itself', (address) => {
  expect(faultOfAwsEndpoint(address)).toBe('this is AWS itself; only an emulator is accepted.');
});

test.each([
  'localhost:4566',
  'ftp://localhost',
  'http://',
  'http://user:pass@localhost',
  'http://localhost/?a=b',
  'x y',
])('%s is no address of an emulator', (address) => {
  expect(faultOfAwsEndpoint(address)).toMatch(/^expected the address of an AWS emulator/);
});
