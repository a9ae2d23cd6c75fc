import { settingsRoutes, type TenantSettings } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createApiClient } from '#lib/api.ts';
import { currentUserQuery } from '#lib/session.ts';

const calls = createApiClient(settingsRoutes);

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => calls.getSettings(undefined, { signal }),
});

export const retentionPreviewQuery = (retention_days: number, body_retention_days: number) =>
  queryOptions({
    queryKey: ['settings', 'retention-preview', retention_days, body_retention_days],
    queryFn: ({ signal }) =>
      calls.previewRetention({ query: { retention_days, body_retention_days } }, { signal }),
  });

/** Also updates the tenant's name in the cached user, and refetches the user. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (changes: Partial<TenantSettings>) => calls.updateSettings({ body: changes }),
    onSuccess: async (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      queryClient.setQueryData(
        currentUserQuery.queryKey,
        (user) => user && { ...user, tenant: { ...user.tenant, name: saved.name } },
      );
      // A new second-factor policy may apply to the user who saves the settings.
      await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
      await router.invalidate();
    },
  });
}
