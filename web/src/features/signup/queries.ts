import { paymentsRoutes, type SetupIntent, signupRoutes } from '@sluice/contract';
import { useMutation } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

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
