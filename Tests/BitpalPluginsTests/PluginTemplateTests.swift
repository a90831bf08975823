import Testing

@testable import BitpalPlugins

@Suite struct `The beginning of a plugin` {
  @Test(arguments: PluginTemplate.Language.allCases)
  func `Has the provider's name and a host that is one in every place`(language: PluginTemplate.Language) {
    let template = PluginTemplate(id: "my_source", in: language)
    for text in [template.program, template.providerFile] {
      #expect(!text.contains("NAME") && !text.contains("HOST") && !text.contains("COMMAND"))
      #expect(text.contains("my_source") && text.contains("https://api.my-source.example/"))
    }
    #expect(template.providerFile.contains("\nhosts: [api.my-source.example]\n"))
    #expect(template.programFile.hasPrefix("my_source."))
    #expect(template.providerFile.contains(template.programFile))
  }
}
