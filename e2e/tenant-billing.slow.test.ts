import { createClient, paymentMethodsRoutes, type Subscription, subscriptionsRoutes } from '@sluice/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { openTenantCredits } from './tenant-credits-page.ts';

startConsole({ SLUICE_DEMO: '1' });
visitConsole({ viewport: { width: 1440, height: 900 } });

const headers = () => ({ authorization: `Bearer ${token}` });
const callCards = () => createClient(paymentMethodsRoutes, { baseUrl: sluice.url, headers });
const callSubscriptions = () => createClient(subscriptionsRoutes, { baseUrl: sluice.url, headers });
const cards = () => page.getByRole('region', { name: 'Payment methods' });
const subscription = () => page.getByRole('region', { name: 'Subscription', exact: true });
const dialog = (name: RegExp | string) => page.getByRole('dialog', { name });

async function removeCards(): Promise<void> {
  for (const { id } of await callCards().listPaymentMethods())
    await callCards().removePaymentMethod({ params: { id } });
}

async function enterCard(number: string): Promise<void> {
  await cards().getByRole('button', { name: 'Add payment method' }).click();
  const form = dialog('Add payment method');
  await form.getByLabel('Card number').fill(number);
  await form.getByLabel('Expiry').fill('12 / 34');
  await form.getByLabel('CVC').fill('123');
  await form.getByRole('button', { name: 'Add card' }).click();
}

describe('payment methods', () => {
  beforeEach(() => openTenantCredits(page));
  afterEach(removeCards);

  itAtFullSize('payment methods are added, made the default and removed', async () => {
    await cards().getByText('No card is saved yet.').waitFor();
    await enterCard('4242 4242 4242 4242');
    await page.getByText('Payment method added').waitFor();
    await cards().getByText('Visa •••• 4242').waitFor();
    await enterCard('5555 5555 5555 4444');
    await cards().getByText('Mastercard •••• 4444').waitFor();
    await cards().getByRole('button', { name: 'Make default: Mastercard •••• 4444' }).click();
    await page.getByText('Default payment method changed').waitFor();
    await cards()
      .locator('li')
      .filter({ hasText: 'Mastercard' })
      .getByText('Default', { exact: true })
      .waitFor();
    await cards().scrollIntoViewIfNeeded();
    await expectGoodLooks(page, 'tenant-billing-cards', everyLook);
    await cards().getByRole('button', { name: 'Remove Visa •••• 4242' }).click();
    await dialog(/^Remove Visa/)
      .getByRole('button', { name: 'Remove card' })
      .click();
    await cards().getByText('Visa •••• 4242').waitFor({ state: 'detached' });
  });

  itAtFullSize('payment methods show why a card is declined, and accept another card', async () => {
    await enterCard('4000 0000 0000 0002');
    await dialog('Add payment method').getByText('Your card was declined.').waitFor();
    await dialog('Add payment method').getByLabel('Card number').fill('4242424242424242');
    await dialog('Add payment method').getByLabel('Expiry').fill('12 / 34');
    await dialog('Add payment method').getByLabel('CVC').fill('123');
    await expectGoodLooks(page, 'tenant-billing-declined', twoLooks);
    await dialog('Add payment method').getByRole('button', { name: 'Add card' }).click();
    await cards().getByText('Visa •••• 4242').waitFor();
  });

  itSampled(2).each([
    ['Authenticate', true],
    ['Decline', false],
  ])('payment methods require 3-D Secure: %s', async (button, isAdded) => {
    await enterCard('4000 0000 0000 3220');
    await dialog('Add payment method').getByRole('button', { name: button }).click();
    if (isAdded) await cards().getByText('Visa •••• 3220').waitFor();
    else await dialog('Add payment method').getByText('The card was not authenticated.').waitFor();
  });

  itSampled(4).each([
    ['GET', 'Failed to fetch payment methods', () => page.reload()],
    ['POST', 'Failed to add payment method', () => enterCard('4242 4242 4242 4242')],
  ] as const)(
    'payment methods that cannot be loaded or added show the error: %s',
    async (method, words, act) => {
      await page.route('**/billing/payment-methods', (route) =>
        route.request().method() === method ? route.abort() : route.continue(),
      );
      await act();
      await page.getByText(words).waitFor();
    },
  );

  itSampled(4).each([
    ['PATCH', 'Failed to set default payment method', /^Make default: /],
    ['DELETE', 'Failed to remove payment method', /^Remove Visa •••• 4242$/],
  ] as const)('payment methods that cannot be changed show the error: %s', async (method, words, button) => {
    await callCards().addPaymentMethod({ body: { payment_method_id: 'pm_card_mastercard' } });
    await callCards().addPaymentMethod({ body: { payment_method_id: 'pm_card_visa' } });
    await page.route('**/billing/payment-methods/**', (route) =>
      route.request().method() === method ? route.abort() : route.continue(),
    );
    await openTenantCredits(page);
    await cards().getByRole('button', { name: button }).click();
    if (method === 'DELETE') await page.getByRole('button', { name: 'Remove card' }).click();
    await page.getByText(words).waitFor();
  });
});

describe('the subscription', () => {
  it('a subscription is selected, changed and canceled, and the panel shows what happens next', async () => {
    await openTenantCredits(page);
    await subscription().getByText('No plan is selected.').waitFor();
    await subscription().getByRole('button', { name: 'Choose plan' }).click();
    await dialog('Choose plan').getByText('$99 per month · 20 users and 3 administrators').waitFor();
    await expectGoodLooks(page, 'tenant-billing-plans', twoLooks);
    await dialog('Choose plan').getByRole('button', { name: 'Choose Basic' }).click();
    await subscription()
      .getByText(/^No card is saved\. Add a card before .*\. After that, new requests are refused/)
      .waitFor();
    await expectGoodLooks(page, 'tenant-billing-trial', everyLook);
    await enterCard('4242 4242 4242 4242');
    await subscription()
      .getByText(/^\$29 will be charged to the default card on /)
      .waitFor();
    await subscription().getByRole('button', { name: 'Change plan' }).click();
    await dialog('Change plan').getByRole('button', { name: 'Choose Pro' }).click();
    await subscription().getByText('Pro, $99 per month').waitFor();
    await subscription().getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog('Cancel the Pro plan?')
      .getByText(/^It stays active until /)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await subscription()
      .getByText(/^Canceled\. It stays active until /)
      .waitFor();
    await removeCards();
  });

  const pastDue: Subscription = {
    plan: {
      id: 'basic',
      name: 'Basic',
      description: '',
      price_monthly: 29,
      price_yearly: 290,
      user_limit: 5,
      admin_limit: 1,
    },
    status: 'past_due',
    tenant_status: 'active',
    has_payment_method: true,
    trial_ends_at: null,
    renews_at: null,
    ends_at: null,
    suspends_at: '2026-12-08T12:00:00.000Z',
    unpaid_since: '2026-12-01T12:00:00.000Z',
    failure: 'Your card was declined.',
  };

  it.each<[name: string, state: Partial<Subscription>, words: RegExp]>([
    ['past-due', {}, /^The payment failed: Your card was declined\. Pay before Dec 8, 2026\. After that,/],
    [
      'expired-trial',
      {
        tenant_status: 'suspended',
        has_payment_method: false,
        failure: 'No card is saved for the payment.',
      },
      /Until the plan is paid new requests are refused/,
    ],
    [
      'ended',
      { status: 'canceled', tenant_status: 'suspended', ends_at: '2026-12-01T12:00:00.000Z' },
      /^The subscription has ended: new requests are refused/,
    ],
  ])('the subscription panel explains the state %s', async (name, state, words) => {
    await page.route('**/billing/subscription', (route) => route.fulfill({ json: { ...pastDue, ...state } }));
    await openTenantCredits(page);
    await subscription().getByText(words).waitFor();
    await subscription().scrollIntoViewIfNeeded();
    await expectGoodLooks(page, `tenant-billing-${name}`, twoLooks);
    const pay = subscription().getByRole('button', { name: 'Pay $29 now' });
    expect(await pay.count()).toBe(name === 'ended' ? 0 : 1);
    if (name !== 'past-due') return;
    await page.route('**/billing/subscription/pay', (route) =>
      route.fulfill({ status: 402, json: { detail: 'Your card was declined.' } }),
    );
    await pay.click();
    await page.getByText('Your card was declined.', { exact: true }).waitFor();
  });
});

describe('billing of all tenants', () => {
  const plans = () => page.getByRole('region', { name: 'Plans of tenants' });

  itAtFullSize(
    'billing of all tenants shows figures, changes and cancels plans, and can be exported',
    async () => {
      await callSubscriptions().changeSubscription({ body: { plan_id: 'basic' } });
      await page.goto('/admin/tenant-credits?tab=billing');
      await page.getByRole('region', { name: 'Billing statistics' }).getByText('Monthly revenue').waitFor();
      await plans()
        .getByText(/^Basic, trial until /)
        .waitFor();
      await expectGoodLooks(page, 'tenant-billing-tab', everyLook);
      await plans()
        .getByRole('button', { name: /^Change plan of/ })
        .click();
      await dialog(/^Plan of/)
        .getByRole('button', { name: 'Choose Enterprise' })
        .click();
      await plans()
        .getByText(/^Enterprise, trial until /)
        .waitFor();
      await plans()
        .getByRole('button', { name: /^Cancel plan of/ })
        .click();
      await page.getByRole('button', { name: 'Cancel subscription' }).click();
      await plans()
        .getByText(/^Enterprise, ends /)
        .waitFor();
      const download = page.waitForEvent('download');
      await plans().getByRole('button', { name: 'Export' }).click();
      expect((await download).suggestedFilename()).toMatch(/^sluice-billing-\d{4}-\d{2}-\d{2}\.csv$/);
    },
  );
});
