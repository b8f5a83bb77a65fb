import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { json, startHttpStub, text, type HttpStub } from '../../../support/http-stub.ts';
import { createTally } from '../../../../functions/reporting-service/coverage.ts';
import { readRecipient, readListedDelivery } from '../../../../functions/reporting-service/shapes.ts';
import { connect, grantTokens, readAll, unavailableFrom } from '../connect.ts';

let stub: HttpStub;

beforeEach(async () => {
  stub = await startHttpStub();
  grantTokens(stub);
});
afterEach(() => stub.close());

describe('the wrapper of a list', () => {
  test.each([
    { body: [1, 2], rows: [1, 2], reading: 'array' },
    { body: { deliveries: [1, 2] }, rows: [1, 2], reading: 'object with "deliveries"' },
    { body: { total: 2, data: [1, 2], note: null, meta: { x: [3] } }, rows: [1, 2], reading: 'object with "data"' },
    { body: { data: [] }, rows: [], reading: 'object with "data"' },
    { body: [], rows: [], reading: 'array' },
  ])('$reading of $rows.length rows is read', async ({ body, rows, reading }) => {
    stub.answer('/v1/broadcasts/deliveries', json(body));
    const { service, tally } = connect(stub);
    expect(await readAll(service.deliveries())).toEqual({ rows, mayBeCutOff: false });
    expect(tally.coverage.readings).toEqual({ 'deliveries wrapper': { [reading]: 1 }, paging: { none: 1 } });
  });

  test.each([
    { body: { deliveries: [1], people: [], x: 1 }, found: '"deliveries" and "people"' },
    { body: { total: 0 }, found: 'none' },
    { body: null, found: 'none' },
    { body: 'deliveries', found: 'none' },
  ])('$body is no list: the error names what was found ($found)', async ({ body, found }) => {
    stub.answer('/v1/broadcasts/deliveries', json(body));
    const error = await unavailableFrom(readAll(connect(stub).service.deliveries()));
    expect([error.message, error.unavailable]).toEqual([
      `[GET] /v1/broadcasts/deliveries: expected a list or an object with one list in it, found ${found}`,
      { reason: 'unreadable' },
    ]);
  });

  test('of very many lists the error names the first ones and how many more there are', async () => {
    const lists = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`list ${index}`, []]));
    stub.answer('/v1/broadcasts/deliveries', json(lists));
    const error = await unavailableFrom(readAll(connect(stub).service.deliveries()));
    expect(error.message).toBe(
      '[GET] /v1/broadcasts/deliveries: expected a list or an object with one list in it, found "list 0" and "list 1" and "list 2" and 19997 more',
    );
  });

  test('two lists in a recipients answer are named too, and each list has its own reading', async () => {
    stub.answer('/v1/broadcasts/deliveries/d/recipients', json({ recipients: [], people: [] }));
    stub.answer('/v1/broadcasts/deliveries/d/contents/c/recipients', json({ results: [1] }));
    const { service, tally } = connect(stub);
    const error = await unavailableFrom(readAll(service.recipients('d')));
    expect(error.message).toBe(
      '[GET] /v1/broadcasts/deliveries/d/recipients: expected a list or an object with one list in it, found "recipients" and "people"',
    );
    await readAll(service.contentRecipients('d', 'c'));
    expect(tally.coverage.readings['content-recipients wrapper']).toEqual({ 'object with "results"': 1 });
  });
});

describe('the wrapper of an item', () => {
  const bare = { id: 'd-1', broadcast: { id: '71', name: 'Friday Five' }, status: 'delivered' };

  test.each([
    { row: { delivery: bare }, reading: '{delivery}' },
    { row: bare, reading: 'bare' },
    { row: { ...bare, delivery: 'express', extra: { deep: [1] } }, reading: 'bare' },
  ])('a delivery is read $reading', ({ row, reading }) => {
    const tally = createTally();
    expect(readListedDelivery(row, tally)).toEqual(bare);
    expect(tally.coverage).toMatchObject({ readings: { 'delivery row': { [reading]: 1 } }, missingFields: {} });
  });

  test.each([
    { row: { recipient: { seenAt: null, respondedAt: null } }, reading: '{recipient}' },
    { row: { seenAt: null, respondedAt: null }, reading: 'bare' },
  ])('a recipient is read $reading', ({ row, reading }) => {
    expect(readRecipient(row)).toEqual({ recipient: { seenAt: null, respondedAt: null }, wrapper: reading });
  });

  test('documented fields that are missing are counted by their names', () => {
    const tally = createTally();
    expect(readListedDelivery({ delivery: { id: 'd-1' } }, tally)).toEqual({
      id: 'd-1',
      broadcast: { id: '', name: null },
      status: null,
    });
    expect(readListedDelivery({ delivery: { status: 'delivered' } }, tally)).toBeNull();
    expect(readListedDelivery('d-1', tally)).toBeNull();
    expect(tally.coverage.missingFields).toEqual({
      'delivery.id': 2,
      'delivery.broadcast.id': 1,
      'delivery.broadcast.name': 1,
      'delivery.status': 1,
    });
  });
});

describe('a broadcast', () => {
  test('is read whole, and undocumented fields are ignored', async () => {
    stub.answer(
      '/v1/broadcasts/71',
      json({
        beta: true,
        broadcast: {
          id: '71',
          name: 'Friday Five',
          created: { by: { id: '9', firstName: 'Priya', lastName: 'Shah', x: 1 }, at: '2026-11-09T09:30:00+00:00' },
        },
        contents: [
          { id: '1', type: 'text', payload: {} },
          { id: 2, type: 'rating' },
        ],
      }),
    );
    const { service, tally } = connect(stub);
    expect(await service.broadcast('71')).toEqual({
      id: '71',
      name: 'Friday Five',
      createdAt: '2026-11-09T09:30:00+00:00',
      createdBy: 'Priya Shah',
      contents: [
        { id: '1', type: 'text' },
        { id: '2', type: 'rating' },
      ],
    });
    expect(tally.coverage.missingFields).toEqual({});
  });

  test.each(['71', 71, null, ''])('may have the id %j, which is its own or none', async (id) => {
    stub.answer('/v1/broadcasts/71', json({ broadcast: { id }, contents: [] }));
    expect((await connect(stub).service.broadcast('71')).id).toBe('71');
  });

  test('has each content item once, under the first type that is given', async () => {
    const contents = [
      { id: '1', type: 'text' },
      { id: 1, type: 'rating' },
      { id: '2', type: 'poll' },
    ];
    stub.answer('/v1/broadcasts/71', json({ broadcast: {}, contents }));
    expect((await connect(stub).service.broadcast('71')).contents).toEqual([
      { id: '1', type: 'text' },
      { id: '2', type: 'poll' },
    ]);
  });

  test('of more than a thousand content items is too large', async () => {
    const contents = Array.from({ length: 1_001 }, (_, id) => ({ id, type: 'text' }));
    stub.answer('/v1/broadcasts/71', json({ contents: contents.slice(1) }), json({ contents }));
    const { service } = connect(stub);
    expect((await service.broadcast('71')).contents.length).toBe(1_000);
    const error = await unavailableFrom(service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([
      '[GET] a broadcast: more than 1000 content items',
      { reason: 'too-large' },
    ]);
  });

  test('may have its content items inside its header, and lack all but their ids', async () => {
    stub.answer(
      '/v1/broadcasts/71',
      json({ broadcast: { created: { by: { lastName: 'Shah' } }, contents: [{ id: '1' }] } }),
    );
    const { service, tally } = connect(stub);
    expect(await service.broadcast('71')).toEqual({
      id: '71',
      name: null,
      createdAt: null,
      createdBy: 'Shah',
      contents: [{ id: '1', type: '' }],
    });
    expect(tally.coverage.missingFields).toEqual({
      'broadcast.id': 1,
      'broadcast.name': 1,
      'broadcast.created.at': 1,
      'content.type': 1,
    });
  });

  test.each([
    { body: [], expected: 'an object' },
    { body: { broadcast: { id: '71' } }, expected: '"contents", a list' },
    { body: { broadcast: { id: '72' }, contents: [] }, expected: 'the broadcast that was asked for' },
    { body: { broadcast: { id: 710 }, contents: [] }, expected: 'the broadcast that was asked for' },
    { body: { contents: {} }, expected: '"contents", a list' },
    { body: { contents: [{ id: '1' }, { type: 'text' }] }, expected: 'an "id" in each of "contents"' },
  ])('that is $body is unreadable: expected $expected', async ({ body, expected }) => {
    stub.answer('/v1/broadcasts/71', json(body));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([
      `[GET] a broadcast: expected ${expected}`,
      { reason: 'unreadable' },
    ]);
  });
});

test('identifiers beyond 2^53 keep every digit, as numbers and as texts', async () => {
  stub.answer(
    '/v1/broadcasts/deliveries',
    text(
      '[{"delivery":{"id":9007199254740993,"broadcast":{"id":"9007199254740995","name":"A"},"status":"delivered"}}]',
    ),
  );
  stub.answer(
    '/v1/broadcasts/9007199254740995',
    text('{"broadcast":{},"contents":[{"id": 123456789012345678901234567890}]}'),
  );
  stub.answer(
    '/v1/broadcasts/deliveries/9007199254740993/contents/123456789012345678901234567890/recipients',
    json([]),
  );
  const { service, tally } = connect(stub);
  const { rows } = await readAll(service.deliveries());
  const delivery = readListedDelivery(rows[0], tally);
  expect(delivery).toMatchObject({ id: '9007199254740993', broadcast: { id: '9007199254740995' } });
  const { contents } = await service.broadcast('9007199254740995');
  expect(contents).toEqual([{ id: '123456789012345678901234567890', type: '' }]);
  await readAll(service.contentRecipients('9007199254740993', '123456789012345678901234567890'));
  expect(stub.asked()).toHaveLength(4);
});
