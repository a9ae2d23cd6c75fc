import { createClient, tenantsRoutes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { continueToPayment, fillAccount, openSignup, sendCard } from './signup-page.ts';
import { signIn } from './visit.ts';

startConsole({ SLUICE_DEMO: '1' });

const visitAsStranger = () =>
  visitAs(null, { viewport: { width: 1440, height: 820 }, reducedMotion: 'reduce' });
const signupAddress = '**/api/v1/auth/signup';

let addressesCount = 0;
const newAddress = () => `grace-${++addressesCount}@hopper.test`;

const findTenants = (search: string) =>
  createClient(tenantsRoutes, {
    baseUrl: sluice.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  }).listTenants({ query: { search } });

describe('a signup', () => {
  it.each(['Basic', 'Pro', 'Enterprise'])(
    'signup on %s ends at the sign-in page, where the new user can sign in',
    async (plan) => {
      await visitAsStranger();
      const email = newAddress();
      await openSignup(page, `?plan=${plan.toLowerCase()}`);
      expect(await page.getByRole('radio', { name: new RegExp(`^${plan}`) }).isChecked()).toBe(true);
      await fillAccount(page, { email, company: `On ${plan}`, plan: null });
      if (plan === 'Basic') await expectGoodLooks(page, 'signup-account', everyLook);
      await continueToPayment(page);
      await page.getByText('This payment is simulated.').waitFor();
      if (plan === 'Basic') await expectGoodLooks(page, 'signup-card', everyLook);
      await sendCard(page, '4242 4242 4242 4242');
      await page.getByText('Account created successfully!').waitFor();
      await page.getByText(`${email} can sign in now.`).waitFor();
      if (plan === 'Basic') await expectGoodLooks(page, 'signup-success', twoLooks);
      await page.getByRole('link', { name: 'Continue to Login' }).click();
      await page.waitForURL(/\/login\?signup=success$/);
      await page.getByText('Your account is ready. Sign in to start.').waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
      await page.getByLabel('Password', { exact: true }).fill('cobol-1959');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(/\/admin/);
      expect(await findTenants(`On ${plan}`)).toMatchObject([{ status: 'trial' }]);
    },
  );

  itAtFullSize('signup reports an unknown plan in the link and asks for a plan', async () => {
    await visitAsStranger();
    await openSignup(page, '?plan=nope');
    await page.getByText('Failed to load plan details').waitFor();
    await fillAccount(page, { email: newAddress(), plan: null });
    await continueToPayment(page);
    await page.getByText('Please select a plan').first().waitFor();
  });

  itAtFullSize('signup works by keyboard', async () => {
    await visitAsStranger();
    const email = newAddress();
    await openSignup(page);
    const type = async (text: string) => {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    };
    await type('Grace Hopper');
    await type(email);
    await type('cobol-1959');
    await page.keyboard.press('Tab');
    await type('cobol-1959');
    await page.keyboard.press('Tab');
    await type('By Keyboard');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: /^Pro/ }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByLabel('Card number').focus();
    await type('4242424242424242');
    await type('12/34');
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await page.getByText(`${email} can sign in now.`).waitFor();
  });

  itAtFullSize('signup keeps all input when going back', async () => {
    await visitAsStranger();
    const email = newAddress();
    await openSignup(page);
    await fillAccount(page, { email });
    await continueToPayment(page);
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Grace Hopper');
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    expect(await page.getByLabel('Confirm Password').inputValue()).toBe('cobol-1959');
    expect(await page.getByLabel('Company Name').inputValue()).toBe('Hopper Ltd');
    expect(await page.getByRole('radio', { name: /^Pro/ }).isChecked()).toBe(true);
  });
});

itAtFullSize('signup keeps its input through a reload, without the passwords', async () => {
  await visitAsStranger();
  const email = newAddress();
  await openSignup(page);
  await fillAccount(page, { email });
  await continueToPayment(page);
  await page.getByLabel('Card number').waitFor();
  await page.reload();
  await page.getByRole('radio', { name: /^Pro/, checked: true }).waitFor();
  expect(await page.getByLabel('Full Name').inputValue()).toBe('Grace Hopper');
  expect(await page.getByLabel('Email').inputValue()).toBe(email);
  expect(await page.getByLabel('Company Name').inputValue()).toBe('Hopper Ltd');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  expect(await page.getByLabel('Confirm Password').inputValue()).toBe('');
  const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(stored).toContain(email);
  expect(stored).not.toContain('cobol-1959');
});

describe('the first step', () => {
  it.each([
    [{ name: '' }, 'Name is required'],
    [{ name: 'G' }, 'Name must be at least 2 characters'],
    [{ email: 'grace' }, 'Please enter a valid email'],
    [{ password: '12345' }, 'Password must be at least 6 characters'],
    [{ confirmation: 'another' }, 'Passwords do not match'],
    [{ plan: null }, 'Please select a plan'],
  ])('the first signup step shows for %j only the first problem: %s', async (given, words) => {
    await visitAsStranger();
    await openSignup(page);
    await fillAccount(page, { email: newAddress(), ...given });
    await continueToPayment(page);
    const toasts = page.locator('.mantine-Notification-root');
    await toasts.filter({ hasText: words }).waitFor();
    expect(await toasts.count()).toBe(1);
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  });

  itAtFullSize(
    'the first signup step shows the yearly savings, and rejects yearly billing with a message',
    async () => {
      await visitAsStranger();
      await openSignup(page);
      await fillAccount(page, { email: newAddress() });
      await page.getByText('Saves 17%').waitFor();
      await page.getByRole('switch', { name: 'Yearly billing' }).check({ force: true });
      await page.getByText('$990 per year').waitFor();
      await continueToPayment(page);
      await page.getByText('Only monthly billing is supported currently').first().waitFor();
    },
  );

  itAtFullSize('the first signup step shows that the plans could not be loaded, and retries', async () => {
    await visitAsStranger();
    await page.route('**/api/v1/billing/plans', (route) => route.abort());
    await page.goto('/signup');
    await page.getByText('Failed to load plan details').waitFor();
    await page.unroute('**/api/v1/billing/plans');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('radio', { name: /^Basic/ }).waitFor();
  });

  itAtFullSize('signup returns to the first step when the email address is taken', async () => {
    await visitAsStranger();
    await openSignup(page);
    await fillAccount(page, { email: sluice.email });
    await continueToPayment(page);
    await sendCard(page, '4242 4242 4242 4242');
    await page.getByText('No account can be created with this email.').first().waitFor();
    await page.getByLabel('Email').waitFor();
  });
});

describe('the card', () => {
  const goToCard = async (company: string) => {
    await visitAsStranger();
    const email = newAddress();
    await openSignup(page);
    await fillAccount(page, { email, company });
    await continueToPayment(page);
    await page.getByLabel('Card number').waitFor();
    return email;
  };

  itAtFullSize('a declined signup card shows the reason, creates nothing, and can be replaced', async () => {
    const email = await goToCard('Declined Ltd');
    await sendCard(page, '4000 0000 0000 0002');
    await page.getByText('Your card was declined.').first().waitFor();
    await page.getByText('Processing payment...').waitFor({ state: 'detached' });
    expect(await page.getByText('Your card was declined.').count()).toBe(1);
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002');
    expect(await findTenants('Declined Ltd')).toEqual([]);
    await expectGoodLooks(page, 'signup-declined', twoLooks);
    await sendCard(page, '4242 4242 4242 4242');
    await page.getByText(`${email} can sign in now.`).waitFor();
  });

  itAtFullSize('a signup card that requires 3-D Secure is authenticated', async () => {
    const email = await goToCard('Asked Ltd');
    await sendCard(page, '4000 0000 0000 3220');
    await page.getByText('Your bank asks you to confirm this payment').waitFor();
    await expectGoodLooks(page, 'signup-3ds', twoLooks);
    await page.getByRole('button', { name: 'Authenticate' }).click();
    await page.getByText(`${email} can sign in now.`).waitFor();
  });

  itAtFullSize('a signup card that is not authenticated creates nothing', async () => {
    await goToCard('Not Asked Ltd');
    await sendCard(page, '4000 0000 0000 3220');
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('not authenticated').first().waitFor();
    expect(await findTenants('Not Asked Ltd')).toEqual([]);
  });

  it('signup creates one account even if submitted repeatedly or if the response is lost', async () => {
    const email = await goToCard('Once Ltd');
    let isFirst = true;
    await page.route(signupAddress, async (route) => {
      if (route.request().method() !== 'POST' || !isFirst) return route.fallback();
      isFirst = false;
      await route.fetch();
      return route.abort();
    });
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiry').fill('12 / 34');
    await page.getByLabel('CVC').fill('123');
    await page.getByRole('button', { name: 'Start the trial' }).dblclick();
    await page.getByText('Signup failed').first().waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText(`${email} can sign in now.`).waitFor();
    expect(await findTenants('Once Ltd')).toHaveLength(1);
  });

  itAtFullSize(
    'signup for a free plan shows no yearly billing and sends the setup intent of the entered card',
    async () => {
      await visitAsStranger();
      await page.route('**/api/v1/billing/plans', async (route) => {
        const response = await route.fetch();
        const plans = await response.json();
        plans[0] = { ...plans[0], name: 'Free', price_monthly: 0, price_yearly: 0 };
        return route.fulfill({ response, json: plans });
      });
      const bodies: unknown[] = [];
      await page.route(signupAddress, (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        bodies.push(route.request().postDataJSON());
        return route.fulfill({ status: 201, json: { message: 'Account created successfully!', email: '' } });
      });
      await page.goto('/signup');
      const free = page.getByRole('radio', { name: /^Free/ });
      await free.waitFor();
      await fillAccount(page, { email: newAddress(), plan: 'Free' });
      expect(await page.getByText('Yearly billing').count()).toBe(0);
      await continueToPayment(page);
      await page.getByLabel('Card number').fill('4242 4242 4242 4242');
      await page.getByLabel('Expiry').fill('12 / 34');
      await page.getByLabel('CVC').fill('123');
      await page.getByRole('button', { name: 'Create Account' }).click();
      await page.getByText('You are on the plan Free.').waitFor();
      expect(bodies).toMatchObject([
        {
          payment_method_id: null,
          setup_intent_id: expect.any(String),
          trial_days: 14,
          billing_cycle: 'monthly',
        },
      ]);
    },
  );

  itSampled(3).each([
    ['**/api/v1/payment/setup-intent', 'Failed to create setup intent'],
    ['**/api/v1/payment/simulated/confirm-setup', 'Payment processing failed'],
  ])('signup shows what failed at %s', async (address, words) => {
    await goToCard('Failed Ltd');
    await page.route(address, (route) => route.abort());
    await sendCard(page, '4242 4242 4242 4242');
    await page.getByText(words).first().waitFor();
    expect(await findTenants('Failed Ltd')).toEqual([]);
  });
});

itAtFullSize('the signup page redirects signed-in users to their dashboard', async () => {
  await visitAs(await signIn(sluice));
  await page.goto('/signup');
  await page.waitForURL(/\/dashboard$/);
});

it('the prices of the home page link to signup', async () => {
  await visitAsStranger();
  await page.goto('/?tab=pricing');
  await page.getByRole('listitem').filter({ hasText: 'Enterprise' }).getByRole('link').click();
  await page.waitForURL(/\/signup\?plan=enterprise$/);
  await page.getByRole('radio', { name: /^Enterprise/, checked: true }).waitFor();
});

it('closed signup shows a contact, and the home page has no link to the signup', async () => {
  await visitAsStranger();
  await page.route(signupAddress, (route) => route.fulfill({ json: { is_open: false, trial_days: 14 } }));
  await page.goto('/signup');
  await page.getByRole('heading', { name: 'Signup is closed' }).waitFor();
  await page.getByText('Ask an administrator of your organization to invite you').waitFor();
  await expectGoodLooks(page, 'signup-closed', twoLooks);
  await page.goto('/?tab=pricing');
  await page.getByText('Accounts are created by invitation.').waitFor();
  expect(await page.getByRole('link', { name: 'Start the trial' }).count()).toBe(0);
});
