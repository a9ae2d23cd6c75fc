import { authRoutes, createClient } from '@sluice/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { RunningSluice } from './running-sluice.ts';

/** A page in a browser profile of its own, and what went wrong in it so far. */
export interface Visit {
  readonly page: Page;
  /** Scripts that threw, and whatever the console called an error, refused content among it. */
  readonly problems: readonly string[];
  end(): Promise<void>;
}

export async function visit(
  browser: Browser,
  sluice: Pick<RunningSluice, 'url'>,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: sluice.url, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (entry) => {
    const isRefusedCall = entry.text().startsWith('Failed to load resource');
    if (entry.type() === 'error' && !isRefusedCall) problems.push(entry.text());
  });
  return { page, problems, end: () => context.close() };
}

/** Options of a visit whose browser holds this session already. */
export function holding(token: string, { url }: RunningSluice): BrowserContextOptions {
  const localStorage = [{ name: 'auth_token', value: token }];
  return { storageState: { cookies: [], origins: [{ origin: url, localStorage }] } };
}

/** A session token, by the same call as the sign-in page's. */
export async function signIn({ url, email, password }: RunningSluice): Promise<string> {
  const auth = createClient(authRoutes, { baseUrl: url, headers: () => ({}) });
  const session = await auth.login({ form: { username: email, password } });
  return session.access_token;
}
