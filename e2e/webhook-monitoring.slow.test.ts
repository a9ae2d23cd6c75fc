import { createClient, paymentsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { type StripeStandIn, startStripeStandIn } from '../server/test/providers/stripe-stand-in.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { answer } from './users-page.ts';

const stripe: StripeStandIn = await startStripeStandIn();

startConsole(stripe.env);
beforeAll(async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  const calls = createClient(paymentsRoutes, { baseUrl: sluice.url, headers });
  const { payment_intent_id: id } = await calls.createPaymentIntent({ query: { amount: 40 } });
  stripe.succeed(id);
  await deliver('payment_intent.succeeded', { object: 'payment_intent', id });
  stripe.refund(id, 1_000);
  stripe.failWith(500);
  await deliver('charge.refunded', { object: 'charge', payment_intent: id });
  stripe.failWith(0);
});
afterAll(() => stripe.close());
visitConsole({ viewport: { width: 1440, height: 820 } });

async function deliver(type: string, object: object): Promise<void> {
  const { body, signature } = stripe.event(type, object);
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const response = await fetch(`${sluice.url}/api/v1/webhooks/stripe`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}

const open = async () => {
  await page.goto('/admin/webhook-monitoring');
  await page.locator('table[aria-label="Webhook events"][aria-busy="false"]').waitFor();
};
const rows = () => page.locator('tr[data-row]');

it('webhook monitoring lists and filters events with statistics, and retries a failed event', async () => {
  await open();
  const figures = page.getByRole('region', { name: 'Webhook statistics' }).locator('dd');
  await expect.poll(() => figures.allInnerTexts()).toEqual(['2', '1', '1', '50.0%']);
  expect(await rows().count()).toBe(2);
  await expectGoodLooks(page, 'webhook-monitoring', everyLook);
  await page.getByLabel('Failed Only').check();
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByLabel('Failed Only').uncheck();
  await chooseOption(page, 'Event type', 'payment_intent.succeeded');
  await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('Completed')]);
  await page.getByRole('button', { name: 'Retry Failed' }).click();
  await page
    .getByRole('status', { name: 'Retry results' })
    .getByText('Retried 1 event: 1 succeeded, 0 still failed')
    .waitFor();
});

itAtFullSize(
  'webhook monitoring shows the payload of an event, its attempts and its effect on credits',
  async () => {
    await open();
    await rows().first().getByRole('button', { name: /^View/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Event details' });
    await drawer.getByText(/-\$10\.00 adjustment of tenant \d+/).waitFor();
    await drawer.getByText(/\+\$40\.00 recharge of tenant \d+/).waitFor();
    await drawer.getByText('"charge.refunded"').waitFor();
    await expectGoodLooks(page, 'webhook-monitoring-event', twoLooks);
  },
);

itAtFullSize('webhook monitoring shows that the events could not be loaded', async () => {
  await page.route('**/webhooks/events*', (route) => route.abort());
  await page.goto('/admin/webhook-monitoring');
  await page.getByText('Failed to load webhook events').waitFor();
});

itAtFullSize(
  'webhook statistics that could not be loaded show no error, and events that could not be loaded do',
  async () => {
    await page.route('**/webhooks/stats*', answer(500, {}));
    await page.goto('/admin/webhook-monitoring');
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByRole('radio', { name: '7 days' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText(/statistics cannot/i).count()).toBe(0);
    await page.route('**/webhooks/events*', answer(500, {}));
    await page.reload();
    await page.getByText('Failed to load webhook events (HTTP 500)', { exact: true }).waitFor();
  },
);

it('webhook monitoring denies access to tenant administrators with a message', async () => {
  await page.route('**/api/v1/auth/me', async (route) => {
    const response = await route.fetch();
    const user = await response.json();
    user.role.name = 'admin';
    user.role.permissions = user.role.permissions.filter((name: string) => name !== 'super_admin');
    await route.fulfill({ response, json: user });
  });
  await page.goto('/admin/webhook-monitoring');
  await page
    .getByText('Access Denied: Webhook monitoring is only available to super administrators.')
    .waitFor();
});
