import { Button } from '@mantine/core';
import type { LlmProvider } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { TryRequest } from '#components/ui/try-request.tsx';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './connected-dialog.module.css';

interface ConnectedDialogProps {
  provider: LlmProvider;
  isOpen: boolean;
  onClose: () => void;
}

export function ConnectedDialog({ provider, isOpen, onClose }: ConnectedDialogProps) {
  const { id, provider_instance_name: name, provider_key, enabled_models, default_model } = provider;
  const model = default_model ?? enabled_models[0];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`${name} is connected`}>
      <p>
        {formatQuantity(enabled_models.length, 'model')} enabled. Users need a grant before they can send
        requests to {enabled_models.length === 1 ? 'it' : 'them'}.
      </p>
      {model !== undefined && provider.is_active && (
        <section className={styles.attempt}>
          <h3>Try it</h3>
          <p>The message “Hello” to {model}.</p>
          <TryRequest model={`${provider_key}/${model}`} />
        </section>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          data-autofocus
          renderRoot={(props) => <Link to="/admin/provider-access" search={{ grant: id }} {...props} />}
        >
          Give access
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
