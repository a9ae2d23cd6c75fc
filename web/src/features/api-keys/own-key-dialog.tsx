import { apiKeysRoutes } from '@sluice/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { createApiClient } from '#lib/api.ts';
import { ownApiKeyQuery } from '#lib/own-api-key.ts';
import { regenerateForm } from './choices.ts';
import { NewKey } from './new-key.tsx';
import { OverlapField } from './overlap-field.tsx';

const calls = createApiClient(apiKeysRoutes);

interface OwnKeyDialogProps {
  /** When the replaced key was last used, for example `Today`. */
  lastUsed: string;
  isOpen: boolean;
  onClose: () => void;
}

/** The new secret is shown once. */
export function OwnKeyDialog({ lastUsed, isOpen, onClose }: OwnKeyDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Regenerate API key">
      <OwnKey lastUsed={lastUsed} onDone={onClose} />
    </Dialog>
  );
}

const schema = z.object({ overlap_seconds: regenerateForm.shape.overlap_seconds });

function OwnKey({ lastUsed, onDone }: { lastUsed: string; onDone: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const regenerate = useMutation({
    mutationFn: (overlap_seconds: number) => calls.regenerateOwnApiKey({ body: { overlap_seconds } }),
    onSettled: () => queryClient.invalidateQueries(ownApiKeyQuery),
  });
  const form = useContractForm({ schema, initialValues: { overlap_seconds: '0' } });
  if (secret !== null) return <NewKey secret={secret} onStored={onDone} />;
  return (
    <Form
      form={form}
      submitLabel="Regenerate"
      pendingLabel="Regenerating..."
      fallbackProblem="Failed to regenerate API key"
      isDanger={form.values.overlap_seconds === '0'}
      isGuarded={false}
      onSubmit={async (body) => setSecret((await regenerate.mutateAsync(body.overlap_seconds)).api_key)}
    >
      <p>
        This will revoke the current key and create a new one. Scopes and expiry stay the same. The current
        key was last used: {lastUsed}.
      </p>
      <OverlapField {...form.bind('overlap_seconds')} />
    </Form>
  );
}
