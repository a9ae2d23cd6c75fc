import { useState } from 'react';

/**
 * Returns the object that a dialog has created, and its setter. The object is reset when the dialog opens again, so that
 * the content does not change during the closing animation.
 */
export function useCreated<Subject>(isOpen: boolean) {
  const [created, setCreated] = useState<Subject | null>(null);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setCreated(null);
  }
  return [created, setCreated] as const;
}
