import { signupRoutes } from '@sluice/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(signupRoutes, { isSessionKept: true });

export const signupConfirmationQuery = (token: string) =>
  queryOptions({
    queryKey: ['signup-confirmation', token],
    queryFn: ({ signal }) => calls.getSignupConfirmation({ params: { token } }, { signal }),
    retry: false,
  });

export const useConfirmSignup = (token: string) =>
  useMutation({
    mutationFn: (body: { password: string }) => calls.confirmSignup({ params: { token }, body }),
  });

export const useResendConfirmation = () =>
  useMutation({ mutationFn: (email: string) => calls.resendSignupConfirmation({ body: { email } }) });
