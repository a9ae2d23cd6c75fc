import { tenantsRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { loadPages } from '#lib/load-pages.ts';

const calls = createApiClient(tenantsRoutes);

const everything = ['tenants'] as const;

export const tenantsQuery = queryOptions({
  queryKey: [...everything, 'list'],
  queryFn: ({ signal }) => loadPages(200, (query) => calls.listTenants({ query }, { signal })),
});

/** Includes limits and their usage. */
export const tenantQuery = (id: number) =>
  queryOptions({
    queryKey: [...everything, 'one', id],
    queryFn: ({ signal }) => calls.getTenant({ params: { id } }, { signal }),
    // Not cached, because the form must start with current values.
    gcTime: 0,
  });

type Body<Name extends 'createTenant' | 'updateTenant'> = Parameters<(typeof calls)[Name]>[0]['body'];

export const useCreateTenant = () =>
  useTenantChange(({ body }: { body: Body<'createTenant'> }) => calls.createTenant({ body }));

export const useUpdateTenant = () =>
  useTenantChange(({ id, body }: { id: number; body: Body<'updateTenant'> }) =>
    calls.updateTenant({ params: { id }, body }),
  );

export const useSuspendTenant = () =>
  useTenantChange(({ id, reason }: { id: number; reason: string }) =>
    calls.suspendTenant({ params: { id }, body: { reason } }),
  );

export const useReactivateTenant = () =>
  useTenantChange((id: number) => calls.reactivateTenant({ params: { id } }));

function useTenantChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: everything });
      void queryClient.invalidateQueries({ queryKey: ['tenant-credits'] });
      void queryClient.invalidateQueries({ queryKey: ['status'] });
    },
  });
}
