import { secondFactorRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { createPasskey } from '#lib/passkey.ts';
import { renewToken } from '#lib/token.ts';

const calls = createApiClient(secondFactorRoutes);

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => calls.getSecondFactor(undefined, { signal }),
});

const newTotpKey = 'new-totp';

/** Kept only while the dialog is open. */
export const newTotpQuery = queryOptions({
  queryKey: [newTotpKey],
  queryFn: () => calls.startTotp(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

export function useConfirmPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => calls.confirmPassword({ body: { password } }),
    onSuccess: () => queryClient.invalidateQueries(secondFactorQuery),
  });
}

interface ChangedFactors {
  readonly access_token: string;
  readonly recovery_codes: string[] | null;
}

/** Replaces the session's token. Resolves to new recovery codes, or `null`. */
function useFactorChange<Input>(change: (input: Input) => Promise<ChangedFactors>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      let codes: string[] | null = null;
      await renewToken(async () => {
        const changed = await change(input);
        codes = changed.recovery_codes;
        return changed.access_token;
      });
      return codes as string[] | null;
    },
    // Queries sent with the old token may have been rejected, so all queries are refetched.
    onSettled: () =>
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== newTotpKey }),
  });
}

export const useConfirmTotp = () => useFactorChange((code: string) => calls.confirmTotp({ body: { code } }));

export const useRemoveTotp = () => useFactorChange((_: undefined) => calls.removeTotp());

export const useAddPasskey = () =>
  useFactorChange(async (name: string) => {
    const passkey = await createPasskey(await calls.startPasskey());
    return calls.addPasskey({ body: { name, passkey } });
  });

export const useRemovePasskey = () =>
  useFactorChange((id: number) => calls.removePasskey({ params: { id } }));

export const useRenewRecoveryCodes = () => useFactorChange((_: undefined) => calls.renewRecoveryCodes());
