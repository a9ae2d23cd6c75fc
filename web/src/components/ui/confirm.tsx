import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react';
import { lazyPart } from '#lib/lazy-part.tsx';
import type { Question } from './confirm-dialog.tsx';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

/** Resolves to `true` if the user confirms, or `false` if the user cancels or closes the dialog. */
type Confirm = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.reject(new Error('There is no ConfirmProvider')));

export const useConfirm = (): Confirm => use(ConfirmContext);

/** A new question cancels the previous one. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [isOpen, setOpen] = useState(false);
  const resolve = useRef<(isAgreed: boolean) => void>(undefined);

  const answer = (isAgreed: boolean) => {
    resolve.current?.(isAgreed);
    setOpen(false);
  };

  const confirm = useCallback<Confirm>((next) => {
    resolve.current?.(false);
    const { promise, ...asked } = Promise.withResolvers<boolean>();
    resolve.current = asked.resolve;
    setQuestion(next);
    setOpen(true);
    return promise;
  }, []);

  return (
    <ConfirmContext value={confirm}>
      {children}
      {question && <ConfirmDialog question={question} isOpen={isOpen} onAnswer={answer} />}
    </ConfirmContext>
  );
}
