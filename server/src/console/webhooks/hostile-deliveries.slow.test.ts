import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient, creditsRoutes, paymentsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import { forgedSignature, type StripeStandIn, startStripeStandIn } from '#test/providers/stripe-stand-in.ts';

let stripe: StripeStandIn;
let sluice: SluiceProcess;
let intentId: string;

beforeAll(async () => {
  stripe = await startStripeStandIn();
  sluice = await createSluice({ ...stripe.env, SLUICE_WORKERS: '2', LOG_LEVEL: 'silent' });
  await sluice.start();
  const payments = createClient(paymentsRoutes, await signIn(sluice));
  const intent = await payments.createPaymentIntent({ query: { amount: 50 } });
  intentId = intent.payment_intent_id;
  stripe.succeed(intentId);
});
afterAll(async () => {
  await sluice.remove();
  await stripe.close();
});

const path = '/api/v1/webhooks/stripe';
const paid = () => ({ object: 'payment_intent', id: intentId });
const now = () => Math.floor(Date.now() / 1000);

async function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<number> {
  const answer = await fetch(`${sluice.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await answer.text();
  return answer.status;
}

function changed(
  change: (event: { body: string; signature: string }) => { body: string; signature: string },
) {
  const event = change(stripe.event('payment_intent.succeeded', paid()));
  return () => post(event.body, { 'stripe-signature': event.signature });
}

function signedWith(options: Parameters<StripeStandIn['event']>[2], object: () => object = paid) {
  const event = stripe.event('payment_intent.succeeded', object(), options);
  return () => post(event.body, { 'stripe-signature': event.signature });
}

const forgedHeaders = [
  '', 'v1=', 't=,v1=', 't=abc,v1=abc', 'null', '{}', 't=1', `v0=${'a'.repeat(64)}`, `t=${now()}`,
  `t=${now()},v1=${'0'.repeat(64)}`, `t=${now()},v1=${'0'.repeat(63)}`, `t=${now()},v0=${'0'.repeat(64)}`,
  `t=${now()},v1=${'é'.repeat(8)}`, `t=-1,v1=${'0'.repeat(64)}`, `t=99999999999999,v1=${'0'.repeat(64)}`,
  'v1='.repeat(500),
]; // biome-ignore format: a list of texts

function listDeliveries(): [string, () => Promise<number>][] {
  const { body } = stripe.event('payment_intent.succeeded', paid());
  return [
    ['no signature', () => post(body, {})],
    ...forgedHeaders.map((signature, index): [string, () => Promise<number>] => [
      `forged header ${index}`,
      () => post(body, { 'stripe-signature': signature.replaceAll('é', '%') }),
    ]),
    ['a signature that only looks like one', () => post(body, { 'stripe-signature': forgedSignature(body) })],
    ['another secret', signedWith({ secret: 'whsec_of_somebody_else' })],
    ['an empty secret', signedWith({ secret: ' ' })],
    ['301 seconds old', signedWith({ timestamp: now() - 301 })],
    ['a day old', signedWith({ timestamp: now() - 86_400 })],
    ['from 1970', signedWith({ timestamp: 1 })],
    ['another account', signedWith({ account: 'acct_of_somebody_else' })],
    ['cut in half', changed(({ body, signature }) => ({ body: body.slice(0, body.length / 2), signature }))],
    ['one byte less', changed(({ body, signature }) => ({ body: body.slice(0, -1), signature }))],
    ['one byte more', changed(({ body, signature }) => ({ body: `${body} `, signature }))],
    ['another amount', changed(({ body, signature }) => ({ body: body.replace('evt', 'evil'), signature }))],
    ['the body of another event', changed(({ signature }) => ({ body, signature }))],
    ['written again with spaces', changed(({ body, signature }) => ({ body: JSON.stringify(JSON.parse(body), null, 2), signature }))],
    ['an empty body', changed(({ signature }) => ({ body: '', signature }))],
    ['no JSON', changed(({ signature }) => ({ body: 'payment=done', signature }))],
    ['signed, and null', () => postSigned('null')],
    ['signed, and a list', () => postSigned('[]')],
    ['signed, and without an object', () => postSigned('{"id":"evt_1","type":"x"}')],
    ['signed, with an id that is not text', () => postSigned('{"id":1,"type":"x","data":{"object":{}}}')],
    ['compressed', () => post(body, { 'stripe-signature': forgedSignature(body), 'content-encoding': 'gzip' })],
    ['as a form', () => post(body, { 'content-type': 'application/x-www-form-urlencoded' })],
    ['of a megabyte', () => post('x'.repeat(1_048_576), { 'stripe-signature': forgedSignature(body) })],
    ['not UTF-8', () => post(Uint8Array.from([0xff, 0xfe, 0x7b]), { 'stripe-signature': 't=1,v1=00' })],
    ['with NUL in it', () => post('{"id":"\u0000"}', { 'stripe-signature': 't=1,v1=00' })],
  ]; // biome-ignore format: one delivery per line
}

function postSigned(body: string): Promise<number> {
  return post(body, { 'stripe-signature': stripe.sign(body) });
}

it('receiveStripeEvent rejects all hostile deliveries and crashes on none', async () => {
  const deliveries = listDeliveries();
  expect(deliveries.length).toBeGreaterThanOrEqual(40);
  const statuses: Record<string, number> = {};
  for (const [name, send] of deliveries) statuses[name] = await send();
  expect(Object.entries(statuses).filter(([, status]) => status < 400 || status >= 500)).toEqual([]);
  expect(await leaveInTheMiddle()).toBe('closed');
  const balance = await createClient(creditsRoutes, await signIn(sluice)).getMyTenantBalance();
  expect(balance).toMatchObject({ current_balance: 0, lifetime_recharged: 0 });
});

async function leaveInTheMiddle(): Promise<string> {
  const { hostname, port } = new URL(sluice.origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"id":`,
  );
  socket.end();
  socket.resume();
  await once(socket, 'close');
  return 'closed';
}

it('receiveStripeEvent processes an event once despite repeated deliveries to all workers', async () => {
  const { body, signature } = stripe.event('payment_intent.succeeded', paid());
  const statuses = await Promise.all(
    Array.from({ length: 100 }, () => post(body, { 'stripe-signature': signature })),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  const balance = await createClient(creditsRoutes, await signIn(sluice)).getMyTenantBalance();
  expect(balance).toMatchObject({ current_balance: 50, lifetime_recharged: 50 });
});
