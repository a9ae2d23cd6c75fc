import type { QueryClient } from '@tanstack/react-query';
import { forgetAttempt, type ProviderRedirect, type SignInAttempt } from '#lib/sign-in-attempt.ts';
import { callFinishTest, type FinishedTest, testResultKey } from './queries.ts';

/** Stores the result for the identity providers page. */
export async function finishTest(
  queryClient: QueryClient,
  { secret, provider }: SignInAttempt,
  redirect: ProviderRedirect,
): Promise<void> {
  forgetAttempt();
  const result = await callFinishTest({ body: { secret, ...redirect } });
  const finished: FinishedTest = { providerName: provider.name, result };
  queryClient.setQueryData(testResultKey, finished);
}
