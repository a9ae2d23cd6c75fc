import { passwordResetsRoutes } from '@sluice/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(passwordResetsRoutes, { isSessionKept: true });

/** Whether the installation sends password reset mails. */
export const passwordResetSettingsQuery = queryOptions({
  queryKey: ['password-reset-settings'],
  queryFn: ({ signal }) => calls.getPasswordResetSettings(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const passwordResetQuery = (token: string) =>
  queryOptions({
    queryKey: ['password-reset', token],
    queryFn: ({ signal }) => calls.getPasswordReset({ params: { token } }, { signal }),
    retry: false,
  });

export const useRequestPasswordReset = () =>
  useMutation({ mutationFn: (email: string) => calls.requestPasswordReset({ body: { email } }) });

export const useResetPassword = (token: string) =>
  useMutation({
    mutationFn: (body: { password: string }) => calls.resetPassword({ params: { token }, body }),
  });
