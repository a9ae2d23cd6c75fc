import { Button } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '#lib/copy-text.ts';
import { CopyIcon } from './action-icons.ts';

const feedbackMs = 2000;

interface CopyButtonProps {
  text: string;
  /** Accessible name, for example `Copy request ID`. */
  label: string;
  onCopied?: (() => void) | undefined;
}

export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'Select and copy manually' | null>(null);
  const forgetOutcome = useTimeout(() => setOutcome(null), feedbackMs);

  const copy = async () => {
    const isCopied = await copyText(text);
    setOutcome(isCopied ? 'Copied' : 'Select and copy manually');
    forgetOutcome.start();
    if (isCopied) onCopied?.();
  };

  const Icon = outcome === 'Copied' ? Check : CopyIcon;
  return (
    <>
      <Button
        variant="default"
        aria-label={outcome ? `${label}: ${outcome}` : label}
        leftSection={<Icon size={14} strokeWidth={1.5} aria-hidden />}
        onClick={copy}
      >
        {outcome ?? 'Copy'}
      </Button>
      <span className="visually-hidden" role="status">
        {outcome}
      </span>
    </>
  );
}
