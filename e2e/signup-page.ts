import type { Page } from 'playwright-core';

export interface SignupFields {
  name?: string;
  email: string;
  password?: string;
  confirmation?: string;
  company?: string;
  plan?: string | null;
}

export async function openSignup(page: Page, search = ''): Promise<void> {
  await page.goto(`/signup${search}`);
  await page.getByRole('radio', { name: /^Basic/ }).waitFor();
}

/** If the plan is `null`, no plan is selected. */
export async function fillAccount(
  page: Page,
  {
    name = 'Grace Hopper',
    email,
    password = 'cobol-1959',
    confirmation = password,
    company = 'Hopper Ltd',
    plan = 'Pro',
  }: SignupFields,
): Promise<void> {
  await page.getByLabel('Full Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(confirmation);
  await page.getByLabel('Company Name').fill(company);
  if (plan !== null) await page.getByRole('radio', { name: new RegExp(`^${plan}`) }).check();
}

export const continueToPayment = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Continue to Payment' }).click();

export async function sendCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByRole('button', { name: 'Start the trial' }).click();
}
