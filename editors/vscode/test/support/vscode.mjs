// A stub of the module `vscode`, as far as the extension and its language client use it without a window.
// What the extension does is recorded; what is not recorded is answered by an object that accepts everything.

import {
  CancellationTokenSource,
  Diagnostic,
  Disposable,
  EventEmitter,
  Position,
  Range,
  Uri,
} from './vscode-classes.mjs';

/** An object of which every property is such an object, and which can be called, constructed and extended. */
function anything(name) {
  const made = new Map();
  const target = class {};
  return new Proxy(target, {
    get(_, key) {
      if (key === 'prototype') return target.prototype;
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined;
      if (/^onDid|^onWill/.test(key)) return () => new Disposable();
      if (!made.has(key)) made.set(key, anything(`${name}.${key}`));
      return made.get(key);
    },
    apply: () => anything(`${name}()`),
    construct: (of, given, by) => (by === undefined ? {} : Reflect.construct(of, given, by)),
  });
}

/** A namespace: these members, and anything else. */
function space(name, members) {
  const rest = anything(name);
  return new Proxy(members, { get: (of, key) => (key in of ? of[key] : rest[key]) });
}

/** A document of the editor. */
export function document(path, languageId, text) {
  const uri = Uri.file(path);
  return {
    uri,
    languageId,
    version: 1,
    isDirty: false,
    isClosed: false,
    fileName: path,
    lineCount: text.split('\n').length,
    getText: () => text,
    save: async () => true,
  };
}

/** A new stub, with these settings, and what it recorded. */
export function stub({ settings = {}, folder, asExternalUri = async (uri) => uri, uiKind = 1 }) {
  const opened = new EventEmitter();
  const changed = new EventEmitter();
  const closed = new EventEmitter();
  const selected = new EventEmitter();
  const configured = new EventEmitter();
  const recorded = {
    errors: [],
    commands: new Map(),
    panels: [],
    external: [],
    texts: [],
    languages: [],
    diagnostics: new Map(),
    messages: [],
    log: [],
  };
  const documents = [];
  const workspaceFolder = { uri: Uri.file(folder), name: 'work', index: 0 };
  const note =
    (list, answer) =>
    async (...given) => {
      recorded[list].push(given);
      return answer;
    };
  const collection = {
    set: (uri, found) => recorded.diagnostics.set(uri.toString(), found ?? []),
    delete: (uri) => recorded.diagnostics.delete(uri.toString()),
    clear: () => recorded.diagnostics.clear(),
    get: (uri) => recorded.diagnostics.get(uri.toString()),
    has: () => false,
    forEach: () => undefined,
    dispose: () => undefined,
  };
  const log = () =>
    space('log', {
      logLevel: 1,
      onDidChangeLogLevel: () => new Disposable(),
      dispose: () => undefined,
      append: () => undefined,
      appendLine: (x) => recorded.log.push(x),
      trace: (...x) => recorded.log.push(x),
      debug: () => undefined,
      info: (...x) => recorded.log.push(x),
      warn: (...x) => recorded.log.push(x),
      error: (...x) => recorded.log.push(x),
      show: () => undefined,
    });
  const panel = (type, title, column, options) => {
    const gone = new EventEmitter();
    const made = {
      type,
      title,
      column,
      options,
      webview: { html: '' },
      visible: true,
      active: false,
      viewColumn: 2,
      revealed: 0,
      reveal: () => {
        made.visible = true;
        made.revealed += 1;
      },
      onDidDispose: gone.event,
      dispose: () => gone.fire(),
    };
    recorded.panels.push(made);
    return made;
  };
  const vscode = space('vscode', {
    version: '1.99.0',
    Disposable,
    EventEmitter,
    Uri,
    Position,
    Range,
    Diagnostic,
    CancellationTokenSource,
    CancellationError: class extends Error {},
    LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
    ViewColumn: { Active: -1, Beside: -2, One: 1, Two: 2 },
    UIKind: { Desktop: 1, Web: 2 },
    window: space('window', {
      activeTextEditor: undefined,
      visibleTextEditors: [],
      createOutputChannel: log,
      createWebviewPanel: panel,
      showErrorMessage: note('errors'),
      showInformationMessage: note('messages'),
      showWarningMessage: note('messages'),
      showTextDocument: note('texts'),
      onDidChangeTextEditorSelection: selected.event,
      tabGroups: {
        all: [],
        onDidChangeTabs: () => new Disposable(),
        onDidChangeTabGroups: () => new Disposable(),
      },
    }),
    workspace: space('workspace', {
      textDocuments: documents,
      workspaceFolders: [workspaceFolder],
      notebookDocuments: [],
      getWorkspaceFolder: () => workspaceFolder,
      getConfiguration: (section) => ({
        get: (key, otherwise) => settings[`${section}.${key}`] ?? otherwise,
      }),
      onDidOpenTextDocument: opened.event,
      onDidChangeTextDocument: changed.event,
      onDidCloseTextDocument: closed.event,
      onDidChangeConfiguration: configured.event,
      createFileSystemWatcher: () => ({
        onDidCreate: () => new Disposable(),
        onDidChange: () => new Disposable(),
        onDidDelete: () => new Disposable(),
        dispose: () => undefined,
      }),
      openTextDocument: async (uri) => documents.find((one) => one.uri.toString() === uri.toString()),
    }),
    languages: space('languages', {
      // 10 if a filter of the selector fits, as VS Code scores it.
      match: (selector, { uri, languageId }) =>
        [selector]
          .flat()
          .some(
            (filter) =>
              (filter.language ?? languageId) === languageId && (filter.scheme ?? uri.scheme) === uri.scheme,
          )
          ? 10
          : 0,
      createDiagnosticCollection: () => collection,
      setTextDocumentLanguage: async (of, language) => {
        recorded.languages.push([of.uri.toString(), language]);
        closed.fire(of);
        of.languageId = language;
        opened.fire(of);
        return of;
      },
    }),
    commands: space('commands', {
      registerCommand: (name, action) => {
        if (recorded.commands.has(name)) throw new Error(`command '${name}' already exists`);
        recorded.commands.set(name, action);
        return new Disposable(() => recorded.commands.delete(name));
      },
      executeCommand: async () => undefined,
    }),
    env: space('env', {
      uiKind,
      asExternalUri,
      openExternal: note('external', true),
      appName: 'stub',
      language: 'en',
    }),
  });
  const open = (one) => {
    documents.push(one);
    opened.fire(one);
  };
  const type = (one, text) => {
    one.version += 1;
    one.getText = () => text;
    one.lineCount = text.split('\n').length;
    changed.fire({ document: one, contentChanges: [{ text }] });
  };
  const select = (textEditor, kind = 1) =>
    selected.fire({ textEditor, selections: [textEditor.selection], kind });
  const configure = (name, value) => {
    settings[name] = value;
    configured.fire({ affectsConfiguration: (section) => name.startsWith(section) });
  };
  return { vscode, recorded, open, type, select, configure };
}
