import { paymentsRoutes, type SetupIntent, signupRoutes } from '@sluice/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const signup = createApiClient(signupRoutes);
const payments = createApiClient(paymentsRoutes);

export type SignupBody = Parameters<typeof signup.signUp>[0]['body'];

export const useSignUp = () =>
  useMutation({
    mutationFn: (body: SignupBody) => signup.signUp({ body }),
  });

export const createSetupIntent = (): Promise<SetupIntent> => payments.createSetupIntent();

export const confirmSimulatedSetup = (clientSecret: string, cardNumber: string) =>
  payments.confirmSimulatedSetup({ body: { client_secret: clientSecret, payment_method: cardNumber } });

export const authenticateSimulatedSetup = (clientSecret: string, isApproved: boolean) =>
  payments.authenticateSimulatedSetup({ body: { client_secret: clientSecret, is_approved: isApproved } });

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
