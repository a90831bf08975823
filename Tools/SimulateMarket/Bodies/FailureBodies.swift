import BitpalJSON

/// The answers that are not answers.
enum FailureBodies {
  static let notFound: JSONValue = ["error": "coin not found"]

  static let rateLimited: JSONValue = [
    "status": [
      "error_code": 429,
      "error_message": "You've exceeded the Rate Limit of this simulated market. Wait a minute and ask again.",
    ]
  ]

  /// The page that stands in front of the source when its content network refuses.
  static let accessDenied = """
    <!DOCTYPE html>
    <html lang="en-US">
    <head>
    <meta charset="UTF-8">
    <title>Access denied</title>
    </head>
    <body>
    <h1>Error 1015</h1>
    <p>You are being rate limited. The owner of this simulated website has banned you temporarily.</p>
    <p>Cloudflare Ray ID: 0000000000000000</p>
    </body>
    </html>

    """
}
