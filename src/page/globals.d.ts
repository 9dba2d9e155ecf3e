interface ImportMeta {
  readonly env: { readonly VERSION: string }
}
