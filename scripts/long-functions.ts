import ts from 'typescript';

export interface LongFunction {
  readonly name: string;
  /** First line, counted from 1. */
  readonly line: number;
  readonly lineCount: number;
}

// Functions such as `describeClient` are tables of tests as well.
const suites = /^(?:describe\w*|it|test)\b/;

/** Returns the functions of a source file with more than `max` lines, except tests and functions that contain tests. */
export function findLongFunctions(file: string, text: string, max: number): LongFunction[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: LongFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !isTest(node)) {
      const line = lineOf(node.getStart());
      const lineCount = lineOf(node.end) - line + 1;
      if (lineCount > max) found.push({ name: nameOf(node), line, lineCount });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isTest = ({ parent }: ts.Node) =>
  ts.isCallExpression(parent) && suites.test(parent.expression.getText());

/** Returns the name of a function, or of what it is assigned to. */
function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  const named = name ?? ('name' in parent ? (parent.name as ts.Node | undefined) : undefined);
  return named?.getText() ?? 'a function';
}
