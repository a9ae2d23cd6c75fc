import { useConfirm } from '../../components/ui/confirm.tsx';
import { useCloseGuard } from '../../components/ui/dialog-layer.ts';
import { FocusedSection } from '../../components/ui/focused-section.tsx';
import { SecretPanel } from '../../components/ui/secret-panel.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';

/** The secret of a key that was just made; closing asks, since nothing brings it back. */
export function NewKey({ secret, onStored }: { secret: string; onStored: () => void }) {
  const confirm = useConfirm();
  useCloseGuard(() => confirm(question));

  return (
    <FocusedSection label="New API key">
      <SecretPanel
        secret={secret}
        label="API key"
        variable="SLUICE_API_KEY"
        warning="This key is shown only once. Copy it now and keep it in a safe place."
        onStored={onStored}
        onCopied={() => showSuccess('API key copied to clipboard!')}
      />
    </FocusedSection>
  );
}

const question = {
  title: 'Close without the key?',
  message: 'The key cannot be shown again. Whoever needs it then needs a new one.',
  confirmLabel: 'Close',
  cancelLabel: 'Keep open',
  isDanger: true,
};
