import { createClient, creditsRoutes } from '@sluice/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { beginRecharge, openTenantCredits, payByCard } from './tenant-credits-page.ts';

startConsole({ SLUICE_DEMO: '1' });
visitConsole({ viewport: { width: 1440, height: 820 } });
beforeEach(() => openTenantCredits(page));

const balance = async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  const calls = createClient(creditsRoutes, { baseUrl: sluice.url, headers });
  return (await calls.getMyTenantBalance()).current_balance;
};
const dialog = () => page.getByRole('dialog', { name: /^Recharge/ });
const fillAmount = async (amount: string) => {
  await dialog().getByLabel('Amount').fill(amount);
  await dialog().getByRole('button', { name: 'Continue to Payment' }).click();
};

describe('a recharge', () => {
  itAtFullSize('a recharge rejects $0 and more than $10,000', async () => {
    await page
      .locator('tr[data-row]')
      .getByRole('button', { name: /^Recharge/ })
      .click();
    await fillAmount('0');
    await dialog().getByText('Please enter a valid amount greater than 0').waitFor();
    await fillAmount('10000.01');
    await dialog().getByText('Maximum recharge amount is $10,000').waitFor();
  });

  it('a recharge is paid by card, and increases the balance', async () => {
    const before = await balance();
    await beginRecharge(page, '12.5');
    await dialog().getByText('This payment is simulated.').waitFor();
    await expectGoodLooks(page, 'tenant-credits-card', twoLooks);
    await payByCard(page, '4242 4242 4242 4242');
    await page.getByText(/^Successfully added \$12\.50 credits to .+!$/).waitFor();
    await expect
      .poll(() => page.locator('tr[data-row]').innerText())
      .toContain(`$${(before + 12.5).toFixed(4)}`);
    expect(await balance()).toBe(before + 12.5);
  });

  itSampled(2).each([
    ['4000 0000 0000 0002', 'Your card was declined.'],
    ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
  ])('a recharge declined for card %s returns to the amount and shows the reason', async (card, reason) => {
    const before = await balance();
    await beginRecharge(page, '3');
    await payByCard(page, card);
    await dialog().getByText(reason).waitFor();
    await dialog().getByLabel('Amount').waitFor();
    expect(await balance()).toBe(before);
  });

  itAtFullSize('a recharge keeps its input through a reload and a declined card until paid', async () => {
    const expectInput = async () => {
      await dialog().getByLabel('Amount').waitFor();
      expect(await dialog().getByLabel('Amount').inputValue()).toBe('1,234.5');
      expect(await dialog().getByLabel('Description').inputValue()).toBe('for November');
    };
    const open = () =>
      page
        .locator('tr[data-row]')
        .getByRole('button', { name: /^Recharge/ })
        .click();
    const submit = () => dialog().getByRole('button', { name: 'Continue to Payment' }).click();
    await open();
    await dialog().getByLabel('Amount').fill('1234.5');
    await dialog().getByLabel('Description').fill('for November');
    await page.reload();
    await open();
    await expectInput();
    await submit();
    await payByCard(page, '4000 0000 0000 0002');
    await expectInput();
    expect(await page.getByText('Your card was declined.').count()).toBe(1);
    await page.reload();
    await open();
    await expectInput();
    await submit();
    await payByCard(page, '4242 4242 4242 4242');
    await page.getByText(/^Successfully added \$1,234\.50 credits/).waitFor();
    await open();
    expect(await dialog().getByLabel('Amount').inputValue()).toBe('');
  });

  itSampled(2).each([
    ['Authenticate', true],
    ['Decline', false],
  ])('a recharge requires 3-D Secure: %s', async (button, isPaid) => {
    const before = await balance();
    await beginRecharge(page, '2');
    await payByCard(page, '4000 0000 0000 3220');
    await dialog().getByRole('button', { name: button }).click();
    if (isPaid) await page.getByText(/^Successfully added/).waitFor();
    else await dialog().getByText('The payment was not authenticated.').waitFor();
    expect(await balance()).toBe(before + (isPaid ? 2 : 0));
  });

  itSampled(3).each([
    ['**/credits/my-tenant/create-payment-intent*', 'Failed to create payment'],
    ['**/credits/my-tenant/confirm-payment*', 'Failed to confirm payment'],
    ['**/payment/simulated/pay', 'Payment processing failed'],
  ])('a recharge shows the error at %s', async (address, words) => {
    await page.route(address, (route) => route.abort());
    await beginRecharge(page, '2');
    if (!address.includes('create')) await payByCard(page, '4242424242424242');
    await dialog().getByText(words).waitFor();
  });
});

itAtFullSize(
  'recharge amounts are accepted in their display format, and ambiguous amounts are rejected',
  async () => {
    await page
      .locator('tr[data-row]')
      .getByRole('button', { name: /^Recharge/ })
      .click();
    const amount = dialog().getByLabel('Amount');
    expect(await Promise.all(['min', 'max', 'step'].map((name) => amount.getAttribute(name)))).toEqual([
      '0.01',
      '10000',
      '0.01',
    ]);
    const unclear = 'Please enter a valid amount greater than 0';
    for (const text of ['2,50', '1.234,56', '1,23', '12 000', '1e3', '-5']) {
      await fillAmount(text);
      await dialog().getByText(unclear).waitFor();
      await amount.fill('1');
      await dialog().getByText(unclear).waitFor({ state: 'detached' });
    }
    await fillAmount('1.234');
    await dialog().getByText('An amount can have at most 2 decimals').waitFor();
    await amount.fill('2500');
    await amount.blur();
    expect(await amount.inputValue()).toBe('2,500');
    for (const [text, paid] of [
      ['1,234.56', 'Pay $1,234.56'],
      ['2,500', 'Pay $2,500.00'],
    ] as const) {
      await page.reload();
      await page
        .locator('tr[data-row]')
        .getByRole('button', { name: /^Recharge/ })
        .click();
      await amount.fill('');
      await amount.pressSequentially(text);
      await dialog().getByRole('button', { name: 'Continue to Payment' }).click();
      await dialog().getByRole('button', { name: paid }).waitFor();
    }
  },
);

describe('the details of a tenant', () => {
  const details = () => page.getByRole('dialog', { name: /^Transaction history/ });

  it('tenant credit details list balance changes, filtered by type', async () => {
    await beginRecharge(page, '4');
    await payByCard(page, '4242424242424242');
    await page.getByText(/^Successfully added/).waitFor();
    await page
      .locator('tr[data-row]')
      .getByRole('button', { name: /^Details/ })
      .click();
    const rows = details().locator('tbody tr');
    await rows.filter({ hasText: '+$4.00' }).first().waitFor();
    expect(await rows.first().innerText()).toMatch(/…\w{8}/);
    await expectGoodLooks(page, 'tenant-credits-details', everyLook);
    await chooseOption(details(), 'Type', 'Penalty');
    await details().getByText('No transactions in this period.').waitFor();
  });

  itAtFullSize('tenant credit details show a loading error and retry', async () => {
    await page.route('**/credits/my-tenant/transactions*', (route) => route.abort());
    await page
      .locator('tr[data-row]')
      .getByRole('button', { name: /^Details/ })
      .click();
    await details().getByText('Failed to load transaction history').waitFor();
    await page.unroute('**/credits/my-tenant/transactions*');
    await details().getByRole('button', { name: 'Try Again' }).click();
    await details().getByText('Failed to load transaction history').waitFor({ state: 'hidden' });
  });

  itAtFullSize('tenant credit details set the low balance threshold', async () => {
    await page
      .locator('tr[data-row]')
      .getByRole('button', { name: /^Details/ })
      .click();
    await details().getByLabel('Low balance threshold').fill('25');
    await details().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Low balance threshold saved').waitFor();
  });
});

itAtFullSize('tenant credits show a single tenant as "Your tenant", in all looks', async () => {
  await page.getByText('Your tenant credit balance').waitFor();
  await page.getByText('Payments are simulated.').waitFor();
  expect(await page.getByRole('region', { name: 'Credit statistics' }).locator('dt').allInnerTexts()).toEqual(
    ['Total Tenants', 'With Credits', 'Low Balance'],
  );
  await expectGoodLooks(page, 'tenant-credits', everyLook);
});

itAtFullSize('tenant credits show a loading error', async () => {
  await page.route('**/admin/billing/tenants', (route) => route.abort());
  await page.reload();
  await page.getByText('Unable to load tenant information. Please check your permissions.').waitFor();
});

describe('a balance', () => {
  const openAction = async (name: string) => {
    await page.locator('tr[data-row]').getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  it('a balance is adjusted manually with a reason, and its proof contains the adjustment', async () => {
    const before = await balance();
    await openAction('Adjust');
    const adjusting = page.getByRole('dialog', { name: /^Adjust the credits of/ });
    await adjusting.getByRole('button', { name: 'Adjust credits' }).click();
    await adjusting.getByText('A reason is required').waitFor();
    await chooseOption(page, 'Type', 'Penalty: deducts from the credits');
    await adjusting.getByLabel('Amount').fill(String(before + 1));
    await adjusting.getByLabel('Reason').fill('A test');
    await adjusting.getByRole('button', { name: 'Adjust credits' }).click();
    await adjusting.getByText(/^The balance is .*, which is the most that can be deducted$/).waitFor();
    await expectGoodLooks(page, 'tenant-credits-adjust', twoLooks);
    await page.setViewportSize({ width: 1440, height: 820 });
    await chooseOption(page, 'Type', 'Bonus: adds to the credits');
    await adjusting.getByLabel('Amount').fill('4');
    await adjusting.getByRole('button', { name: 'Adjust credits' }).click();
    const after = (before + 4).toLocaleString('en-US', { minimumFractionDigits: 4 });
    await page.getByText(`Booked $4.00. The balance is $${after}.`).waitFor();
    await openAction('Proof of balance');
    const proof = page.getByRole('dialog', { name: /^Proof of the balance of/ });
    await proof.getByText(/^Verified: \d+ transactions? add up to this balance$/).waitFor();
    await proof.getByRole('row', { name: `Current balance $${after}` }).waitFor();
    await proof.getByRole('row', { name: 'Bonuses +$4.0000' }).waitFor();
    await expectGoodLooks(page, 'tenant-credits-proof', everyLook);
  });
});
