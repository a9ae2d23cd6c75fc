import { FocusedSection } from '#components/ui/focused-section.tsx';
import { SecretPanel } from '#components/ui/secret-panel.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';

interface NewKeyProps {
  secret: string;
  onStored: () => void;
}

export function NewKey({ secret, onStored }: NewKeyProps) {
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
